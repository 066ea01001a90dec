package io.verbena.report;

import io.verbena.report.Chart.Line;
import io.verbena.report.Chart.Point;
import java.util.List;

/// Draws charts, each with title, grid, axes with their units, lines with their marks, and the legend at the right.
public final class ChartDrawing {
    private static final int WIDTH = 980;

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
    private final int bottom;
    private final Scale x;
    private final Scale y;

    private ChartDrawing(Svg svg, Chart chart) {
        this.svg = svg;
        this.chart = chart;
        this.bottom = TOP + plotHeight(chart);
        this.x = chart.x().between(LEFT, RIGHT);
        this.y = chart.y().between(bottom, TOP);
    }

    /// The text of a file with the charts, one below the other. It needs nothing else: no script, nothing from the
    /// network.
    public static String file(List<Chart> charts) {
        Svg svg = new Svg().raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        return draw(svg, charts, " xmlns=\"http://www.w3.org/2000/svg\"", "<style>\n" + Palette.style() + "</style>");
    }

    /// The charts as a part of a [Page].
    public static String inline(List<Chart> charts) {
        return draw(new Svg(), charts, "", "");
    }

    private static String draw(Svg svg, List<Chart> charts, String namespace, String style) {
        int height = charts.stream().mapToInt(ChartDrawing::height).sum();
        svg.add(
                "<svg%s viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
                namespace, WIDTH, height, WIDTH, height);
        svg.add("<title>%s</title>", XmlText.escape(charts.getFirst().title()));
        svg.raw(style);
        svg.add("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>", WIDTH, height);
        int offset = 0;
        for (Chart chart : charts) {
            new ChartDrawing(svg, chart).draw(offset);
            offset += height(chart);
        }
        return svg.raw("</svg>").toString();
    }

    private static int plotHeight(Chart chart) {
        return Math.max(LEAST_HEIGHT, chart.lines().size() * LEGEND_ROW);
    }

    private static int height(Chart chart) {
        return TOP + plotHeight(chart) + BELOW;
    }

    private void draw(int offset) {
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
        for (Axis.Tick tick : chart.x().ticks()) {
            String at = Svg.px(x.pixel(tick.value()));
            svg.add("<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>", at, at, TOP, bottom);
            svg.add(
                    "<text class=\"dim\" x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    at, bottom + 18, XmlText.escape(tick.label()));
        }
        for (Axis.Tick tick : chart.y().ticks()) {
            String at = Svg.px(y.pixel(tick.value()));
            svg.add("<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%s\" y2=\"%s\"/>", LEFT, RIGHT, at, at);
            svg.add(
                    "<text class=\"dim\" x=\"%d\" y=\"%s\" text-anchor=\"end\">%s</text>",
                    LEFT - 8, Svg.px(y.pixel(tick.value()) + TEXT_DROP), XmlText.escape(tick.label()));
        }
        svg.add("<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>", LEFT, RIGHT, bottom, bottom);
        svg.add(
                "<text class=\"ink\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                (LEFT + RIGHT) / 2, bottom + 42, XmlText.escape(chart.x().label()));
        svg.add(
                "<text class=\"ink\" transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                (TOP + bottom) / 2, XmlText.escape(chart.y().label()));
    }

    private void drawLine(Line line) {
        svg.add("<g class=\"%s\">", Palette.of(line.colour()));
        StringBuilder path = new StringBuilder();
        for (Point point : line.points()) {
            path.append(path.isEmpty() ? 'M' : 'L')
                    .append(Svg.px(x.pixel(point.x())))
                    .append(' ')
                    .append(Svg.px(y.pixel(point.y())));
        }
        svg.add("<path class=\"line %s\"%s d=\"%s\"/>", line.weight().styleClass(), Palette.dashes(line), path);
        for (Point point : line.points()) {
            if (point.title() != null) {
                svg.add(
                        "<circle class=\"point\" cx=\"%s\" cy=\"%s\" r=\"%s\"><title>%s</title></circle>",
                        Svg.px(x.pixel(point.x())),
                        Svg.px(y.pixel(point.y())),
                        line.weight().radius(),
                        XmlText.escape(point.title()));
            }
        }
        svg.raw("</g>");
    }

    private void drawLegend(Line line, int y) {
        svg.add(
                "<g class=\"%s\"><path class=\"line %s\"%s d=\"M%d %dH%d\"/></g>",
                Palette.of(line.colour()), line.weight().styleClass(), Palette.dashes(line), LEGEND, y, LEGEND + 26);
        svg.add(
                "<text class=\"ink %s\" x=\"%d\" y=\"%d\">%s<title>%s</title></text>",
                line.weight().styleClass(),
                LEGEND + 34,
                y + TEXT_DROP,
                XmlText.escape(Svg.shorten(line.name(), LEGEND_LETTERS)),
                XmlText.escape(line.name()));
    }
}
