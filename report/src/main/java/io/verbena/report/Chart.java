package io.verbena.report;

import java.util.List;
import java.util.Locale;

/// One chart: lines over two axes. `note` is a line of small print below the title.
public record Chart(String title, String note, Axis x, Axis y, List<Line> lines) {

    /// How much a line stands out.
    public enum Weight {
        FAINT("2"),
        NORMAL("3.5"),
        STRONG("4");

        private final String radius;

        Weight(String radius) {
            this.radius = radius;
        }

        /// Of the marks on the line.
        String radius() {
            return radius;
        }

        String styleClass() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Lines of one `colour` belong together.
    public record Line(String name, int colour, Weight weight, List<Point> points) {}

    /// A point that has a `title` is marked, and shows it when pointed at.
    public record Point(double x, double y, String title) {}
}
