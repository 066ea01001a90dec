package io.verbena.bench.report;

import io.verbena.bench.side.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;

/// A chart of curves over the message size, both axes logarithmic.
final class CurveChart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 380;
    private static final int LEFT = 64;
    private static final int RIGHT = 540;
    private static final int TOP = 16;
    private static final int BOTTOM = 336;
    private static final int LEGEND_ROW = 19;

    private final StringBuilder svg = new StringBuilder();
    private final String what;
    private final DoubleFunction<String> text;
    private final List<Series> all;
    private final LogAxis x;
    private final LogAxis y;

    /// - `points`: value by size
    /// - `colour`: the same for a contestant in all charts
    /// - `ours`: drawn thicker
    /// - `dashed`: to distinguish two curves of one contestant
    record Series(String name, TreeMap<Integer, Double> points, int colour, boolean ours, boolean dashed) {}

    private CurveChart(String what, DoubleFunction<String> text, List<Series> all) {
        this.what = what;
        this.text = text;
        this.all = all;
        List<Double> sizes = new ArrayList<>();
        List<Double> values = new ArrayList<>();
        for (Series series : all) {
            series.points().forEach((size, value) -> {
                sizes.add((double) size);
                values.add(value);
            });
        }
        x = LogAxis.around(sizes, LEFT, RIGHT);
        y = LogAxis.around(values, BOTTOM, TOP);
    }

    /// @param text how values are written
    static String of(String what, DoubleFunction<String> text, List<Series> all) {
        CurveChart chart = new CurveChart(what, text, all);
        chart.draw();
        return chart.svg.toString();
    }

    private void draw() {
        int height = Math.max(HEIGHT, TOP + all.size() * LEGEND_ROW + 20);
        add("<svg viewBox='0 0 %d %d' role='img' aria-label='%s by size'>%n", WIDTH, height, Html.escape(what));
        grid();
        for (int row = 0; row < all.size(); row++) {
            curve(all.get(row), TOP + 8 + row * LEGEND_ROW);
        }
        add("</svg>%n");
    }

    private void grid() {
        for (double value : y.ticks()) {
            double at = y.pixel(value);
            add("<line class='grid' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>", LEFT, RIGHT, at, at);
            add(
                    "<text class='small' x='%d' y='%.1f' text-anchor='end'>%s</text>%n",
                    LEFT - 6, at + 4, text.apply(value));
        }
        all.stream()
                .flatMap(series -> series.points().keySet().stream())
                .distinct()
                .sorted()
                .forEach(size -> {
                    double at = x.pixel(size);
                    add("<line class='grid' x1='%.1f' x2='%.1f' y1='%d' y2='%d'/>", at, at, TOP, BOTTOM);
                    add(
                            "<text class='small' x='%.1f' y='%d' text-anchor='middle'>%s</text>%n",
                            at, BOTTOM + 16, Sizes.text(size));
                });
        add(
                "<text class='small' x='%d' y='%d'>%s</text>%n",
                LEFT, BOTTOM + 34, Html.escape(what + " by size of message"));
    }

    private void curve(Series series, int legend) {
        String colour = "c" + series.colour();
        String style = colour + (series.ours() ? " ours" : "") + (series.dashed() ? " dashed" : "");
        StringBuilder path = new StringBuilder();
        for (Map.Entry<Integer, Double> point : series.points().entrySet()) {
            double px = x.pixel(point.getKey());
            double py = y.pixel(point.getValue());
            path.append(Html.format("%s%.1f %.1f", path.isEmpty() ? "M" : "L", px, py));
            add(
                    "<circle class='%s' cx='%.1f' cy='%.1f' r='%s'><title>%s</title></circle>%n",
                    colour,
                    px,
                    py,
                    series.ours() ? "4" : "3",
                    Html.escape(
                            series.name() + ", " + Sizes.text(point.getKey()) + ": " + text.apply(point.getValue())));
        }
        add("<path class='%s' d='%s'/>%n", style, path);
        add("<line class='%s' x1='%d' x2='%d' y1='%d' y2='%d'/>", style, RIGHT + 24, RIGHT + 46, legend, legend);
        add(
                "<text class='%s' x='%d' y='%d'>%s</text>%n",
                series.ours() ? "strong" : "", RIGHT + 54, legend + 4, Html.escape(series.name()));
    }

    private void add(String format, Object... values) {
        svg.append(Html.format(format, values));
    }
}
