package io.verbena.tools.ping;

import io.verbena.report.Json;
import io.verbena.tools.program.Output;
import io.verbena.tools.program.Result;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.cm.ConnectionId;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// The result of one connection, filled in while it runs.
final class PingResult {
    private static final long LONGEST_NS = TimeUnit.HOURS.toNanos(1);

    private final String role;
    private final PingWays ways;
    private final boolean verified;
    private final Statistics statistics = new Statistics();
    private final Histogram times = new Histogram(LONGEST_NS, 3);
    private final Result result;
    private PingParameters parameters = new PingParameters(0, 0);
    private boolean ok = true;
    private String path = "";

    PingResult(String role, PingWays ways, boolean verified) {
        this.role = role;
        this.result = new Result(role);
        this.ways = ways;
        this.verified = verified;
    }

    Statistics statistics() {
        return statistics;
    }

    void connected(ConnectionId id, PingParameters agreed) {
        result.connected(id);
        parameters = agreed;
    }

    /// Records the time of one round trip.
    void roundTrip(long ns) {
        times.recordValue(Math.min(ns, LONGEST_NS));
        statistics.roundTrip();
    }

    /// Sets the path that the messages took; empty when unknown.
    void went(String way) {
        path = statistics.roundTrips() > 0 ? way : "";
    }

    void failed(RuntimeException reason) {
        result.failed(reason);
        ok = false;
    }

    String peer() {
        return result.peer();
    }

    void print(Output output, boolean withStatistics) {
        output.result(json());
        if (peer().isEmpty()) {
            return; // never connected
        }
        long done = statistics.roundTrips();
        output.say(
                "%s %s: %,d%s round trips of %,d bytes%s, %s%s",
                role.equals("client") ? "server" : "client",
                peer(),
                done,
                done == parameters.count() ? "" : String.format(Locale.ROOT, " of %,d", parameters.count()),
                parameters.size(),
                verified && ok ? ", every byte verified" : "",
                ways,
                path.isEmpty() ? "" : ", over " + path);
        if (times.getTotalCount() > 0) {
            output.say(
                    "round trip in microseconds: mean %.1f, p50 %.1f, p90 %.1f, p99 %.1f, p99.9 %.1f, max %.1f",
                    times.getMean() / 1e3, us(50), us(90), us(99), us(99.9), us(100));
        }
        if (withStatistics) {
            statistics.print(output);
            if (times.getTotalCount() > 0) {
                output.say(
                        "  the first round trips are slow, since Java still compiles; for latency: verbena perf send-lat");
            }
        }
    }

    private double us(double percentile) {
        return times.getValueAtPercentile(percentile) / 1e3;
    }

    private Map<String, Object> json() {
        result.put("cm", ways.cm())
                .put("wait", ways.completions())
                .put("count", parameters.count())
                .put("size", parameters.size())
                .put("verified", verified && ok)
                .put("statistics", statistics.json());
        if (!path.isEmpty()) {
            result.put("path", path);
        }
        if (times.getTotalCount() > 0) {
            result.put("roundTripMicroseconds", microseconds());
        }
        return result.json();
    }

    private Map<String, Object> microseconds() {
        return Json.object(
                "min", times.getMinValue() / 1e3,
                "mean", times.getMean() / 1e3,
                "p50", us(50),
                "p90", us(90),
                "p99", us(99),
                "p99.9", us(99.9),
                "max", us(100));
    }
}
