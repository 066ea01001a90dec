package io.verbena.tools.ping;

import io.verbena.report.Json;
import io.verbena.tools.program.CpuTime;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// The measurements of one mode.
final class ComparisonRow {
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(10);

    private final PingWays ways;
    private final Histogram times = new Histogram(LONGEST_NS, 3);
    private final Usage busy = new Usage();
    private final Usage idle = new Usage();

    /// CPU time of both processes during some time.
    static final class Usage {
        private Duration elapsed = Duration.ZERO;
        private CpuTime client = new CpuTime(Duration.ZERO, Duration.ZERO);
        private CpuTime server = new CpuTime(Duration.ZERO, Duration.ZERO);

        void add(Duration time, CpuTime ofClient, CpuTime ofServer) {
            elapsed = elapsed.plus(time);
            client = client.plus(ofClient);
            server = server.plus(ofServer);
        }

        boolean isMeasured() {
            return elapsed.isPositive();
        }

        /// In percent of one processor; NaN when it was not measured.
        double client() {
            return share(client.total());
        }

        double server() {
            return share(server.total());
        }

        private double share(Duration used) {
            return isMeasured() ? 100.0 * used.toNanos() / elapsed.toNanos() : Double.NaN;
        }

        private Map<String, Object> json() {
            return Json.object(
                    "seconds", elapsed.toNanos() / 1e9,
                    "clientUserPercent", share(client.user()),
                    "clientKernelPercent", share(client.kernel()),
                    "serverUserPercent", share(server.user()),
                    "serverKernelPercent", share(server.kernel()));
        }
    }

    ComparisonRow(PingWays ways) {
        this.ways = ways;
    }

    PingWays ways() {
        return ways;
    }

    void roundTrip(long ns) {
        times.recordValue(Math.min(ns, LONGEST_NS));
    }

    /// Drops the round trips of the warm-up.
    void forgetRoundTrips() {
        times.reset();
    }

    /// Whether at least one turn was finished.
    boolean isMeasured() {
        return busy.isMeasured();
    }

    Usage busy() {
        return busy;
    }

    Usage idle() {
        return idle;
    }

    double microseconds(double percentile) {
        return times.getValueAtPercentile(percentile) / 1e3;
    }

    double meanMicroseconds() {
        return times.getMean() / 1e3;
    }

    Map<String, Object> json() {
        return Json.object(
                "cm", ways.cm(),
                "wait", ways.completions(),
                "roundTrips", times.getTotalCount(),
                "p50", microseconds(50),
                "p99", microseconds(99),
                "mean", meanMicroseconds(),
                "busy", busy.json(),
                "idle", idle.json());
    }
}
