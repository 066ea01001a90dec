package io.verbena.bench.report;

import io.verbena.bench.side.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Curves over the size of messages, both axes logarithmic.
final class CurveChart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 380;
    private static final int LEFT = 64;
    private static final int RIGHT = 500;
    private static final int TOP = 16;
    private static final int BOTTOM = 336;
    private static final int LEGEND_ROW = 19;
    private static final int COLOURS = 12;

    private final StringBuilder svg = new StringBuilder();
    private final String unit;
    private final List<Series> all;
    private final LogAxis x;
    private final LogAxis y;

    /// - `points`: value by size
    /// - `ours`: drawn thicker
    record Series(String name, TreeMap<Integer, Double> points, boolean ours) {}

    private CurveChart(String unit, List<Series> all) {
        this.unit = unit;
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

    static String of(String unit, List<Series> all) {
        CurveChart chart = new CurveChart(unit, all);
        chart.draw();
        return chart.svg.toString();
    }

    private void draw() {
        int height = Math.max(HEIGHT, TOP + all.size() * LEGEND_ROW + 20);
        add("<svg viewBox='0 0 %d %d' role='img' aria-label='%s by size'>%n", WIDTH, height, Html.escape(unit));
        grid();
        for (int i = 0; i < all.size(); i++) {
            curve(all.get(i), i);
        }
        add("</svg>%n");
    }

    private void grid() {
        for (double value : y.ticks()) {
            double at = y.pixel(value);
            add("<line class='grid' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>", LEFT, RIGHT, at, at);
            add(
                    "<text class='small' x='%d' y='%.1f' text-anchor='end'>%s</text>%n",
                    LEFT - 6, at + 4, Numbers.number(value));
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
                            at,
                            BOTTOM + 16,
                            size == Sizes.MIB || size > Sizes.MIB || size <= 8192 || size == 65536
                                    ? Sizes.text(size)
                                    : "");
                });
        add("<text class='small' x='%d' y='%d'>%s</text>%n", LEFT, BOTTOM + 34, Html.escape(unit + " by size"));
    }

    private void curve(Series series, int index) {
        String colour = "c" + index % COLOURS;
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
                    Html.escape(series.name() + ", " + Sizes.text(point.getKey()) + ": "
                            + Numbers.number(point.getValue()) + " " + unit));
        }
        add("<path class='%s%s' d='%s'/>%n", colour, series.ours() ? " ours" : "", path);
        int legend = TOP + 8 + index * LEGEND_ROW;
        add(
                "<line class='%s%s' x1='%d' x2='%d' y1='%d' y2='%d'/>",
                colour, series.ours() ? " ours" : "", RIGHT + 24, RIGHT + 46, legend, legend);
        add(
                "<text class='%s' x='%d' y='%d'>%s</text>%n",
                series.ours() ? "strong" : "", RIGHT + 54, legend + 4, Html.escape(series.name()));
    }

    private void add(String format, Object... values) {
        svg.append(Html.format(format, values));
    }
}
