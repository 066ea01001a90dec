package io.verbena.spark.jobs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Medians of all runs of the same job by the same way. The first run of a job in an application stands apart, since
/// executors load classes and compile in it.
final class Summary {
    private static final double MB = 1e6;

    /// What a column has.
    enum Column {
        TIME("time s", 3, result -> result.ms() / 1e3),
        REMOTE("remote MB", 1, result -> result.remoteBytes() / MB),
        RDMA("RDMA MB", 1, result -> result.readBytes() / MB),
        TCP("TCP MB", 1, result -> Math.max(0, result.remoteBytes() - result.readBytes()) / MB),
        WAIT("wait ms", 0, result -> result.waitMs()),
        CPU("CPU s", 2, result -> result.cpuMs() / 1e3);

        private final String title;
        private final int decimals;
        private final ToDoubleFunction<Result> value;

        Column(String title, int decimals, ToDoubleFunction<Result> value) {
            this.title = title;
            this.decimals = decimals;
            this.value = value;
        }

        String title() {
            return title;
        }

        String format(double number) {
            return String.format(Locale.ROOT, "%." + decimals + "f", number);
        }
    }

    /// A line of the table.
    ///
    /// @param isFirst whether these are the first runs of the job in their applications
    /// @param medians by the order of [Column]
    record Row(Job job, boolean isFirst, Way way, int runs, double[] medians) {
        double median(Column column) {
            return medians[column.ordinal()];
        }

        String label() {
            return isFirst ? job + " first" : job.name();
        }
    }

    private final List<Sample> samples;
    private final List<Row> rows = new ArrayList<>();

    /// @param samples in the order in which they ran
    /// @param firsts how many of an application's samples are the first of their job
    /// @param perApplication how many samples an application has
    Summary(List<Sample> samples, int firsts, int perApplication) {
        this.samples = samples;
        for (Job job : Job.values()) {
            for (boolean isFirst : new boolean[] {true, false}) {
                for (Way way : Way.values()) {
                    List<Result> results = new ArrayList<>();
                    for (int i = 0; i < samples.size(); i++) {
                        Sample sample = samples.get(i);
                        if (sample.way() == way
                                && sample.result().job() == job
                                && i % perApplication < firsts == isFirst) {
                            results.add(sample.result());
                        }
                    }
                    add(job, isFirst, way, results);
                }
            }
        }
    }

    private void add(Job job, boolean isFirst, Way way, List<Result> results) {
        if (!results.isEmpty()) {
            double[] medians = Arrays.stream(Column.values())
                    .mapToDouble(column -> median(
                            results.stream().mapToDouble(column.value).sorted().toArray()))
                    .toArray();
            rows.add(new Row(job, isFirst, way, results.size(), medians));
        }
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    List<Row> rows() {
        return rows;
    }

    /// Whether each job came to the same result in all runs.
    boolean isSame() {
        return samples.stream()
                .collect(Collectors.groupingBy(
                        sample -> sample.result().job(),
                        Collectors.mapping(sample -> sample.result().outcome(), Collectors.toSet())))
                .values()
                .stream()
                .allMatch(outcomes -> outcomes.size() == 1);
    }

    String table() {
        StringBuilder text = new StringBuilder(String.format("%-12s %-22s %4s", "job", "way", "runs"));
        for (Column column : Column.values()) {
            text.append(String.format(" %10s", column.title));
        }
        text.append('\n');
        for (Row row : rows) {
            text.append(String.format("%-12s %-22s %4d", row.label(), row.way.title(), row.runs));
            for (Column column : Column.values()) {
                text.append(String.format(" %10s", column.format(row.median(column))));
            }
            text.append('\n');
        }
        return text.toString();
    }
}
