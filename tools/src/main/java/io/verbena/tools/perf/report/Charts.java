package io.verbena.tools.perf.report;

import io.verbena.report.Axis;
import io.verbena.report.Chart;
import io.verbena.report.Chart.Line;
import io.verbena.report.Chart.Point;
import io.verbena.report.Chart.Weight;
import io.verbena.report.Numbers;
import io.verbena.tools.perf.report.SavedResult.Size;
import io.verbena.tools.program.ProgramException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The charts of a set of results: latency by percentile, latency by size where there are several sizes, and bandwidth
/// by size.
record Charts(List<SavedResult> results) {
    /// More curves than this cannot be told apart.
    private static final int MOST_CURVES = 10;
    /// Above this ratio a linear axis would show most of the distribution as a flat line at the bottom.
    private static final double WIDE = 20;

    private static final String US = "µs";
    private static final Map<String, Double> MARKED =
            Map.of("p50", 50.0, "p90", 90.0, "p99", 99.0, "p99.9", 99.9, "max", 100.0);

    static List<Chart> of(List<SavedResult> results) {
        var charts = new Charts(results);
        List<Chart> all = new ArrayList<>();
        charts.addLatencyByPercentile(all);
        charts.addLatencyBySize(all);
        charts.addBandwidthBySize(all);
        if (all.isEmpty()) {
            throw new ProgramException("nothing to plot: "
                    + results.stream().map(SavedResult::name).collect(Collectors.joining(", "))
                    + " has neither a latency curve nor a bandwidth");
        }
        return all;
    }

    private void addLatencyByPercentile(List<Chart> all) {
        long withCurve =
                results.stream().filter(result -> !curves(result).isEmpty()).count();
        if (withCurve == 0) {
            return;
        }
        int each = (int) Math.max(1, MOST_CURVES / withCurve);
        List<Line> lines = new ArrayList<>();
        int left = 0;
        double most = 1;
        for (SavedResult result : results) {
            List<Size> sizes = curves(result);
            List<Size> shown = someOf(sizes, each);
            left += sizes.size() - shown.size();
            for (Size size : shown) {
                lines.add(curve(name(result, Numbers.bytes(size.bytes())), lines.size(), size));
                most = Math.max(most, size.samples());
            }
        }
        String note = left == 0 ? "" : left + " more sizes are left out here; the next chart has all";
        Axis y = latencyAxis(lines);
        all.add(new Chart(
                title("latency by percentile", result -> !curves(result).isEmpty()),
                note(note),
                Axis.percentiles("percentile", most),
                y,
                lines));
    }

    private String title(String what, Predicate<SavedResult> isShown) {
        return results.stream()
                        .filter(isShown)
                        .map(SavedResult::test)
                        .distinct()
                        .collect(Collectors.joining(", ")) + ": " + what;
    }

    private static List<Size> curves(SavedResult result) {
        return result.sizes().stream()
                .filter(size -> !size.percentiles().isEmpty())
                .toList();
    }

    private static Line curve(String name, int colour, Size size) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < size.percentiles().size(); i++) {
            double oneIn = Axis.oneIn(size.percentiles().get(i), size.samples());
            points.add(new Point(oneIn, size.latenciesUs().get(i), null));
        }
        MARKED.forEach((label, percentile) -> {
            Double value = size.values().get(Metric.of(label));
            double oneIn = Axis.oneIn(percentile, size.samples());
            // a percentile beyond the number of samples is the maximum
            if (value != null && (percentile == 100 || oneIn < size.samples())) {
                points.add(new Point(oneIn, value, name + ", " + label + ": " + Numbers.plain(value) + " " + US));
            }
        });
        points.sort((a, b) -> a.x() != b.x() ? Double.compare(a.x(), b.x()) : Double.compare(a.y(), b.y()));
        return new Line(name, colour, Weight.NORMAL, points);
    }

    private void addLatencyBySize(List<Chart> all) {
        if (results.stream()
                .anyMatch(result -> having(result, Metric.LATENCY_P50).size() > 1)) {
            List<Line> lines = linesBySize(Metric.LATENCY_P50, Metric.LATENCY_P99);
            all.add(bySize("latency", Metric.LATENCY_P50, lines, latencyAxis(lines)));
        }
    }

    private void addBandwidthBySize(List<Chart> all) {
        List<Line> lines = linesBySize(Metric.BANDWIDTH_AVERAGE, Metric.BANDWIDTH_PEAK);
        if (!lines.isEmpty()) {
            Axis y = Axis.linear("bandwidth in MiB/s (2^20 bytes per second)", most(lines, Point::y));
            all.add(bySize("bandwidth", Metric.BANDWIDTH_AVERAGE, lines, y));
        }
    }

    private Chart bySize(String what, Metric shown, List<Line> lines, Axis y) {
        String title = title(
                what + " by size of message", result -> !having(result, shown).isEmpty());
        return new Chart(title, note(""), sizeAxis(lines), y, lines);
    }

    /// Two lines of each result, the second one faint.
    private List<Line> linesBySize(Metric first, Metric second) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            addBySize(lines, results.get(i), i, first, Weight.NORMAL);
            addBySize(lines, results.get(i), i, second, Weight.FAINT);
        }
        return lines;
    }

    private void addBySize(List<Line> lines, SavedResult result, int colour, Metric metric, Weight weight) {
        List<Size> sizes = having(result, metric);
        if (sizes.isEmpty()) {
            return;
        }
        String name = name(result, metric.label());
        List<Point> points = sizes.stream()
                .map(size -> {
                    double value = size.values().get(metric);
                    String title = name + ", " + Numbers.bytes(size.bytes()) + ": " + Numbers.plain(value) + " "
                            + metric.unit().replace("us", US);
                    return new Point(size.bytes(), value, title);
                })
                .toList();
        lines.add(new Line(name, colour, weight, points));
    }

    private static List<Size> having(SavedResult result, Metric metric) {
        return result.sizes().stream()
                .filter(size -> size.values().containsKey(metric))
                .sorted((a, b) -> Long.compare(a.bytes(), b.bytes()))
                .toList();
    }

    /// The words that distinguish a line from the others; words that all lines share are left out.
    private String name(SavedResult result, String what) {
        List<String> words = new ArrayList<>();
        if (results.size() > 1) {
            words.add(result.name());
        }
        if (results.stream().map(SavedResult::test).distinct().count() > 1) {
            words.add(result.test());
        }
        words.add(what);
        return String.join(" ", words);
    }

    private String note(String more) {
        if (!more.isEmpty() || results.size() > 1) {
            return more;
        }
        Map<String, Object> environment = results.getFirst().environment();
        return Stream.of("provider", "device", "os", "date", "java")
                .map(field -> ("java".equals(field) ? "Java " : "") + environment.getOrDefault(field, ""))
                .filter(part -> !part.isBlank())
                .collect(Collectors.joining(" · "));
    }

    private static Axis latencyAxis(List<Line> lines) {
        double min = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(Point::y)
                .filter(y -> y > 0)
                .min()
                .orElse(1);
        double max = most(lines, Point::y);
        return max / min > WIDE
                ? Axis.logarithmic("latency in " + US + " (logarithmic)", min, max)
                : Axis.linear("latency in " + US, max);
    }

    private static Axis sizeAxis(List<Line> lines) {
        long min = (long) -most(lines, point -> -point.x());
        return Axis.sizes("size of message", min, (long) most(lines, Point::x));
    }

    private static double most(List<Line> lines, ToDoubleFunction<Point> value) {
        return lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(value)
                .max()
                .orElse(1);
    }

    /// At most `most` of the sizes, evenly spread, including the first and the last.
    private static List<Size> someOf(List<Size> sizes, int most) {
        if (sizes.size() <= most) {
            return sizes;
        }
        TreeSet<Integer> chosen = new TreeSet<>();
        for (int i = 0; i < most; i++) {
            chosen.add(most == 1 ? 0 : (int) Math.round((double) i * (sizes.size() - 1) / (most - 1)));
        }
        return chosen.stream().map(sizes::get).toList();
    }
}
