package io.verbena.tools.perf.report;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import io.verbena.report.measure.Latency;
import io.verbena.tools.Version;
import io.verbena.tools.perf.PerfParameters;
import io.verbena.tools.perf.PerfRun;
import io.verbena.tools.perf.PerfTest;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/// The JSON document of one run. docs/perf-results.md promises the names of its fields: new ones may be added, and
/// [#FORMAT_VERSION] changes when one changes its meaning or is removed.
final class ResultDocument {
    static final String FORMAT = "verbena-perf";
    static final int FORMAT_VERSION = 1;
    static final double MIB = 1 << 20;

    private ResultDocument() {}

    /// @param run null for a client that did not reach a server
    /// @param path the path that the messages took, null when unknown
    /// @param trouble why the run ended early, null when it did not
    static Map<String, Object> of(
            PerfTest test, PerfRun run, List<Measurement> measurements, String path, String trouble) {
        return new JsonObject()
                .with("format", FORMAT)
                .with("formatVersion", FORMAT_VERSION)
                .with("test", test.label())
                .with("role", run == null || run.client() ? "client" : "server")
                .with("ok", trouble == null)
                .with("error", trouble == null ? "" : trouble)
                .with("environment", run == null ? machine() : environment(run, path))
                .with("parameters", run == null ? Json.object() : parameters(run.parameters(), run.mtu()))
                .with(
                        "results",
                        measurements.stream().map(ResultDocument::result).toList());
    }

    private static Map<String, Object> environment(PerfRun run, String path) {
        Map<String, Object> environment = machine();
        environment.put("provider", run.provider());
        environment.put("device", run.device());
        environment.put("path", path);
        environment.put("peer", run.peerAddress());
        environment.put("peerProgram", run.verbenaPeer() ? "verbena" : "perftest " + run.peerVersion());
        return environment;
    }

    private static Map<String, Object> machine() {
        return new JsonObject()
                .with("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
                .with("verbena", Version.number())
                .with("java", Runtime.version().toString())
                .with("jvm", System.getProperty("java.vm.name", ""))
                .with("os", System.getProperty("os.name", "") + " " + System.getProperty("os.version", ""))
                .with("arch", System.getProperty("os.arch", ""))
                .with("cpus", Runtime.getRuntime().availableProcessors());
    }

    /// The components of the record under their own names; `mtu` is the one that both sides agreed on.
    private static Map<String, Object> parameters(PerfParameters parameters, int mtu) {
        Map<String, Object> all = Json.object();
        for (RecordComponent part : PerfParameters.class.getRecordComponents()) {
            try {
                all.put(part.getName(), part.getAccessor().invoke(parameters));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("cannot read " + part.getName() + ": " + e.getMessage(), e);
            }
        }
        all.remove("test");
        all.put("mtu", mtu);
        return all;
    }

    private static Map<String, Object> result(Measurement measured) {
        Map<String, Object> result = new JsonObject()
                .with("bytes", measured.bytes())
                .with("messages", measured.messages())
                .with("complete", measured.complete());
        if (measured.latency() != null) {
            var latency = new Latency(measured.latency());
            result.put("latencyUs", latency(latency));
            var curve = latency.curve();
            result.put("latencyCurve", Json.object("percentile", curve.percentiles(), "us", curve.latenciesUs()));
        }
        if (measured.bandwidth() != null) {
            var bandwidth = measured.bandwidth();
            result.put("seconds", bandwidth.nanoseconds() / 1e9);
            result.put(
                    "bandwidthMiBps",
                    new JsonObject()
                            .with("average", bandwidth.averageBytesPerSecond() / MIB)
                            .with("peak", known(bandwidth.peakBytesPerSecond() / MIB)));
            result.put("messagesPerSecond", bandwidth.messagesPerSecond());
        }
        result.put("cpuUsPerMessage", cpuUsPerMessage(measured));
        result.put("allocatedBytesPerMessage", allocatedBytesPerMessage(measured));
        return result;
    }

    private static Map<String, Object> latency(Latency latency) {
        return new JsonObject()
                .with("samples", latency.samples())
                .with("min", latency.min())
                .with("mean", latency.mean())
                .with("stdev", latency.standardDeviation())
                .with("p50", latency.percentile(50))
                .with("p90", latency.percentile(90))
                .with("p99", latency.percentile(99))
                .with("p99.9", latency.percentile(99.9))
                .with("p99.99", latency.percentile(99.99))
                .with("max", latency.max());
    }

    /// A peak of 0 means that none was asked for.
    private static Double known(double peak) {
        return peak > 0 ? peak : null;
    }

    static Double cpuUsPerMessage(Measurement measured) {
        return perMessage(measured, measured.usage().cpuNanoseconds(), 1e3);
    }

    static Double allocatedBytesPerMessage(Measurement measured) {
        return perMessage(measured, measured.usage().allocatedBytes(), 1);
    }

    private static Double perMessage(Measurement measured, long spent, double unit) {
        long messages = measured.usage().messages();
        return spent < 0 || messages <= 0 ? null : spent / unit / messages;
    }
}
