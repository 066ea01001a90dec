package io.verbena.tools.ping;

import io.verbena.report.JsonObject;
import io.verbena.report.measure.Latency;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.cm.ConnectionId;
import java.util.Locale;
import java.util.Map;

/// The result of one connection, filled in while it runs.
final class PingResult extends Result {
    private final WaitMode mode;
    private final boolean verified;
    private final Statistics statistics = new Statistics();
    private final Latency times = new Latency();
    private PingParameters parameters = new PingParameters(0, 0);
    private String path = "";

    PingResult(String role, WaitMode mode, boolean verified) {
        super(role);
        this.mode = mode;
        this.verified = verified;
    }

    Statistics statistics() {
        return statistics;
    }

    void connected(ConnectionId id, PingParameters agreed) {
        connected(id);
        parameters = agreed;
    }

    /// Records the time of one round trip.
    void roundTrip(long ns) {
        times.record(ns);
        statistics.roundTrip();
    }

    /// Sets the path that the messages took; empty when unknown.
    void went(String way) {
        path = statistics.roundTrips() > 0 ? way : "";
    }

    void print(Output output, boolean withStatistics) {
        output.result(json());
        if (peer().isEmpty()) {
            return; // never connected
        }
        long done = statistics.roundTrips();
        output.say(
                "%s %s: %,d%s round trips of %,d bytes%s, %s%s",
                isClient() ? "server" : "client",
                peer(),
                done,
                done == parameters.count() ? "" : String.format(Locale.ROOT, " of %,d", parameters.count()),
                parameters.size(),
                isVerified() ? ", every byte verified" : "",
                mode,
                path.isEmpty() ? "" : ", over " + path);
        if (times.samples() > 0) {
            output.say(
                    "round trip in microseconds: mean %.1f, p50 %.1f, p90 %.1f, p99 %.1f, p99.9 %.1f, max %.1f",
                    times.mean(),
                    times.percentile(50),
                    times.percentile(90),
                    times.percentile(99),
                    times.percentile(99.9),
                    times.max());
        }
        if (withStatistics) {
            statistics.print(output);
            if (times.samples() > 0) {
                output.say(
                        "  the first round trips are slow, since Java still compiles; for latency: verbena perf send-lat");
            }
        }
    }

    private boolean isVerified() {
        return verified && !hasFailed() && !isStopped();
    }

    @Override
    public Map<String, Object> json() {
        put("cm", mode.cm())
                .put("wait", mode.completions())
                .put("count", parameters.count())
                .put("size", parameters.size())
                .put("verified", isVerified())
                .put("statistics", statistics.json());
        if (!path.isEmpty()) {
            put("path", path);
        }
        if (times.samples() > 0) {
            put("roundTripMicroseconds", microseconds());
        }
        return super.json();
    }

    private Map<String, Object> microseconds() {
        return new JsonObject()
                .with("min", times.min())
                .with("mean", times.mean())
                .with("p50", times.percentile(50))
                .with("p90", times.percentile(90))
                .with("p99", times.percentile(99))
                .with("p99.9", times.percentile(99.9))
                .with("max", times.max());
    }
}
