package io.verbena.tools.perf.report;

import io.verbena.tools.perf.report.Chart.Line;
import io.verbena.tools.perf.report.Chart.Point;
import io.verbena.tools.text.XmlText;
import java.util.Locale;

/// Draws a chart: title, grid, axes with their units, lines with their marks, and the legend at the right.
final class ChartDrawing {
    static final int WIDTH = 980;

    private static final int LEFT = 92;
    private static final int RIGHT = 720;
    private static final int TOP = 72;
    private static final int BELOW = 64;
    private static final int LEAST_HEIGHT = 300;
    private static final int LEGEND = RIGHT + 24;
    /// Distance from the middle of a line of text to its baseline.
    private static final int TEXT_DROP = 4;

    private static final int LEGEND_ROW = 20;
    private static final int LEGEND_LETTERS = 27;

    private final Svg svg;
    private final Chart chart;
    private final int height;

    ChartDrawing(Svg svg, Chart chart) {
        this.svg = svg;
        this.chart = chart;
        this.height = plotHeight(chart);
    }

    private static int plotHeight(Chart chart) {
        return Math.max(LEAST_HEIGHT, chart.lines().size() * LEGEND_ROW);
    }

    /// Height of the chart on the page.
    static int height(Chart chart) {
        return TOP + plotHeight(chart) + BELOW;
    }

    void draw(int offset) {
        svg.add("<g transform=\"translate(0 %d)\">", offset);
        svg.add("<text class=\"ink title\" x=\"%d\" y=\"30\">%s</text>", LEFT, XmlText.escape(chart.title()));
        svg.add(
                "<text class=\"dim\" x=\"%d\" y=\"50\">%s</text>",
                LEFT, XmlText.escape(Svg.shorten(chart.note(), 125)));
        drawGrid();
        chart.lines().forEach(this::drawLine);
        int row = 0;
        for (Line line : chart.lines()) {
            drawLegend(line, TOP + 8 + LEGEND_ROW * row++);
        }
        svg.raw("</g>");
    }

    private void drawGrid() {
        int bottom = TOP + height;
        for (Axis.Tick tick : chart.x().ticks()) {
            String x = Svg.px(x(tick.value()));
            svg.add("<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>", x, x, TOP, bottom);
            svg.add(
                    "<text class=\"dim\" x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x, bottom + 18, tick.label());
        }
        for (Axis.Tick tick : chart.y().ticks()) {
            String y = Svg.px(y(tick.value()));
            svg.add("<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%s\" y2=\"%s\"/>", LEFT, RIGHT, y, y);
            svg.add(
                    "<text class=\"dim\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s</text>",
                    LEFT - 8, Svg.px(y(tick.value()) + TEXT_DROP), tick.label());
        }
        svg.add("<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>", LEFT, RIGHT, bottom, bottom);
        svg.add(
                "<text class=\"ink\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                (LEFT + RIGHT) / 2, bottom + 42, XmlText.escape(chart.x().label()));
        svg.add(
                "<text class=\"ink\" transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                TOP + height / 2, XmlText.escape(chart.y().label()));
    }

    private void drawLine(Line line) {
        svg.add("<g class=\"%s\">", Palette.of(line.colour()));
        StringBuilder path = new StringBuilder();
        for (Point point : line.points()) {
            path.append(path.isEmpty() ? 'M' : 'L')
                    .append(Svg.px(x(point.x())))
                    .append(' ')
                    .append(Svg.px(y(point.y())));
        }
        svg.add(
                "<path class=\"%s\"%s d=\"%s\"/>",
                line.faint() ? "line faint" : "line", Palette.dashes(line.colour(), line.faint()), path);
        for (Point point : line.points()) {
            if (point.title() != null) {
                svg.add(
                        "<circle class=\"point\" cx=\"%s\" cy=\"%s\" r=\"%s\"><title>%s</title></circle>",
                        Svg.px(x(point.x())),
                        Svg.px(y(point.y())),
                        line.faint() ? "2" : "3.5",
                        XmlText.escape(point.title()));
            }
        }
        svg.raw("</g>");
    }

    private void drawLegend(Line line, int y) {
        svg.add(
                "<g class=\"%s\"><path class=\"%s\"%s d=\"M%d %dH%d\"/></g>",
                Palette.of(line.colour()),
                line.faint() ? "line faint" : "line",
                Palette.dashes(line.colour(), line.faint()),
                LEGEND,
                y,
                LEGEND + 26);
        svg.raw(String.format(
                Locale.ROOT,
                "<text class=\"ink\" x=\"%d\" y=\"%d\">%s<title>%s</title></text>",
                LEGEND + 34,
                y + TEXT_DROP,
                XmlText.escape(Svg.shorten(line.name(), LEGEND_LETTERS)),
                XmlText.escape(line.name())));
    }

    private double x(double value) {
        return LEFT + (RIGHT - LEFT) * chart.x().place().applyAsDouble(value);
    }

    private double y(double value) {
        return TOP + height * (1 - chart.y().place().applyAsDouble(value));
    }
}
