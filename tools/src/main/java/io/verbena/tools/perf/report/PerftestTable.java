package io.verbena.tools.perf.report;

import io.verbena.report.Columns;
import io.verbena.report.Numbers;
import io.verbena.report.measure.Latency;
import io.verbena.tools.perf.PerfParameters;
import java.util.List;
import java.util.function.BiFunction;

/// The tables that scripts know from perftest: the same titles and figures in the same order. MB are 2^20 bytes.
enum PerftestTable {
    BANDWIDTH(
            " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
            List.of("#bytes", "#iterations", "BW peak", "BW average", "MsgRate"),
            (_, measured) -> bandwidth(measured, ResultDocument.MIB)),
    BANDWIDTH_IN_GIGABITS(
            " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]",
            List.of("#bytes", "#iterations", "BW peak", "BW average", "MsgRate"),
            (_, measured) -> bandwidth(measured, 1e9 / Byte.SIZE)),
    LATENCY(
            " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   "
                    + "99% percentile[usec]   99.9% percentile[usec]",
            List.of("#bytes", "#iterations", "t_min", "t_max", "t_typical", "t_avg", "t_stdev", "99%", "99.9%"),
            (_, measured) -> latency(measured)),
    LATENCY_BY_DURATION(
            " #bytes        #iterations       t_avg[usec]    tps average",
            List.of("#bytes", "#iterations", "t_avg", "tps"),
            PerftestTable::latencyByDuration);

    private final Columns columns;
    private final BiFunction<PerfParameters, Measurement, List<String>> cells;

    PerftestTable(String header, List<String> titles, BiFunction<PerfParameters, Measurement, List<String>> cells) {
        this.columns = new Columns(header, titles);
        this.cells = cells;
    }

    static PerftestTable of(PerfParameters parameters, boolean gigabits) {
        if (!parameters.test().isLatency()) {
            return gigabits ? BANDWIDTH_IN_GIGABITS : BANDWIDTH;
        }
        return parameters.byDuration() ? LATENCY_BY_DURATION : LATENCY;
    }

    private static List<String> bandwidth(Measurement measured, double unit) {
        var bandwidth = measured.bandwidth();
        return List.of(
                String.valueOf(measured.bytes()),
                String.valueOf(measured.messages()),
                Numbers.fixed(bandwidth.peakBytesPerSecond() / unit),
                Numbers.fixed(bandwidth.averageBytesPerSecond() / unit),
                Numbers.fixed(bandwidth.messagesPerSecond() / 1e6, 6));
    }

    private static List<String> latency(Measurement measured) {
        var latency = new Latency(measured.latency());
        return List.of(
                String.valueOf(measured.bytes()),
                String.valueOf(measured.messages()),
                Numbers.fixed(latency.min()),
                Numbers.fixed(latency.max()),
                Numbers.fixed(latency.percentile(50)),
                Numbers.fixed(latency.mean()),
                Numbers.fixed(latency.standardDeviation()),
                Numbers.fixed(latency.percentile(99)),
                Numbers.fixed(latency.percentile(99.9)));
    }

    private static List<String> latencyByDuration(PerfParameters parameters, Measurement measured) {
        double mean = new Latency(measured.latency()).mean();
        // SEND and WRITE report half the round trip
        double roundTrip = parameters.test().verb().isFetch() ? mean : 2 * mean;
        return List.of(
                String.valueOf(measured.bytes()),
                String.valueOf(measured.messages()),
                Numbers.fixed(mean),
                Numbers.fixed(1e6 / roundTrip));
    }

    String header() {
        return columns.header();
    }

    String row(PerfParameters parameters, Measurement measured) {
        return columns.row(cells.apply(parameters, measured));
    }
}
