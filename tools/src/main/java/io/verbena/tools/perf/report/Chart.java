package io.verbena.tools.perf.report;

import java.util.List;

/// One chart: lines over two axes. `note` is a line of small print below the title.
record Chart(String title, String note, Axis x, Axis y, List<Line> lines) {

    /// Lines of one `colour` belong together; `faint` ones are the secondary ones.
    record Line(String name, int colour, boolean faint, List<Point> points) {}

    /// A point that has a `title` is marked, and shows it when pointed at.
    record Point(double x, double y, String title) {}
}
