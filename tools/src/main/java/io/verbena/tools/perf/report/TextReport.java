package io.verbena.tools.perf.report;

import io.verbena.report.Columns;
import io.verbena.report.Numbers;
import io.verbena.report.measure.Latency;
import io.verbena.tools.perf.PerfParameters;
import io.verbena.tools.perf.PerfRun;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/// Prints a run as perftest does, and below its table what perftest does not have: all percentiles, and the cost of a
/// message. The rows of that second table begin with a word, so that scripts for perftest ignore them.
final class TextReport {
    private static final String ROW = "size";
    private static final Columns LATENCY = Columns.of(List.of(
            ROW,
            "#bytes ",
            "p50[usec]",
            "p90[usec]",
            "p99[usec]",
            "p99.9[usec]",
            "p99.99[usec]",
            "max[usec]",
            "CPU[usec/msg]",
            "allocated[bytes/msg]"));
    private static final Columns BANDWIDTH = Columns.of(List.of(
            ROW,
            "#bytes ",
            "average[Gbit/sec]",
            "peak[Gbit/sec]",
            "messages/sec",
            "CPU[usec/msg]",
            "allocated[bytes/msg]"));

    private final PrintWriter out;
    private final boolean gigabits;
    private PerfParameters parameters;
    private PerftestTable table;

    TextReport(PrintWriter out, boolean gigabits) {
        this.out = out;
        this.gigabits = gigabits;
    }

    void begin(PerfRun run) {
        parameters = run.parameters();
        table = PerftestTable.of(parameters, gigabits);
        List<String> lines = new ArrayList<>(Banner.lines(run));
        lines.add(table.header());
        print(lines);
    }

    void row(Measurement measurement) {
        print(List.of(table.row(parameters, measurement)));
    }

    void end(List<Measurement> measurements, String path, String trouble) {
        List<String> lines = new ArrayList<>();
        lines.add(Banner.RULE);
        if (!measurements.isEmpty()) {
            Columns columns = parameters.test().isLatency() ? LATENCY : BANDWIDTH;
            lines.add(columns.header());
            measurements.forEach(measured -> lines.add(columns.row(more(measured))));
            lines.add(Banner.RULE);
        }
        if (path != null) {
            lines.add(Banner.one("Path", path));
        }
        if (trouble != null) {
            lines.add(" ended early: " + trouble);
        }
        print(lines);
    }

    private void print(List<String> lines) {
        out.println(String.join(System.lineSeparator(), lines));
        out.flush();
    }

    private List<String> more(Measurement measured) {
        List<String> cells = new ArrayList<>(List.of(ROW, String.valueOf(measured.bytes())));
        if (parameters.test().isLatency()) {
            var latency = new Latency(measured.latency());
            for (double percentile : new double[] {50, 90, 99, 99.9, 99.99}) {
                cells.add(Numbers.fixed(latency.percentile(percentile)));
            }
            cells.add(Numbers.fixed(latency.max()));
        } else {
            cells.add(gigabits(measured.bandwidth().averageBytesPerSecond()));
            cells.add(gigabits(measured.bandwidth().peakBytesPerSecond()));
            cells.add(Numbers.fixed(measured.bandwidth().messagesPerSecond(), 0));
        }
        cells.add(Numbers.fixed(ResultDocument.cpuUsPerMessage(measured)));
        cells.add(Numbers.fixed(ResultDocument.allocatedBytesPerMessage(measured)));
        if (!measured.complete()) {
            cells.set(cells.size() - 1, cells.getLast() + "  (stopped before all messages were done)");
        }
        return cells;
    }

    private static String gigabits(double bytesPerSecond) {
        return bytesPerSecond > 0 ? Numbers.fixed(bytesPerSecond * Byte.SIZE / 1e9, 3) : "-";
    }
}
