package io.verbena.tools.ping;

import io.verbena.report.JsonObject;
import io.verbena.report.measure.CpuTime;
import io.verbena.report.measure.Latency;
import java.time.Duration;
import java.util.Map;

/// The measurements of one mode: its round trips, and the CPU time while they were made and while nothing was sent.
record ComparisonRow(WaitMode mode, Latency times, Usage busy, Usage idle) {
    /// CPU time of both processes during some time.
    static final class Usage {
        private Duration elapsed = Duration.ZERO;
        private CpuTime client = CpuTime.NONE;
        private CpuTime server = CpuTime.NONE;

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
            return new JsonObject()
                    .with("seconds", elapsed.toNanos() / 1e9)
                    .with("clientUserPercent", share(client.user()))
                    .with("clientKernelPercent", share(client.kernel()))
                    .with("serverUserPercent", share(server.user()))
                    .with("serverKernelPercent", share(server.kernel()));
        }
    }

    ComparisonRow(WaitMode mode) {
        this(mode, new Latency(), new Usage(), new Usage());
    }

    void roundTrip(long ns) {
        times.record(ns);
    }

    /// Whether at least one turn was finished.
    boolean isMeasured() {
        return busy.isMeasured();
    }

    Map<String, Object> json() {
        return new JsonObject()
                .with("cm", mode.cm())
                .with("wait", mode.completions())
                .with("roundTrips", times.samples())
                .with("p50", times.percentile(50))
                .with("p99", times.percentile(99))
                .with("mean", times.mean())
                .with("busy", busy.json())
                .with("idle", idle.json());
    }
}
