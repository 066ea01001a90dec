package io.verbena.tools.demo;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import io.verbena.tools.device.PathSeen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// What the children have measured and verified, by their reports.
final class Results {
    /// Upper limit of the ratio of Verbena's round trip to that of plain TCP.
    static final double ROUND_TRIP_GOAL = 1.0;
    /// Lower limit of the ratio of Verbena's bandwidth to that of plain datagrams.
    static final double BANDWIDTH_GOAL = 0.8;

    static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};
    static final List<String> PERCENTILE_NAMES = List.of("p50", "p90", "p99", "p99.9", "max");

    private final Map<String, List<Histogram>> histograms = new HashMap<>();
    private final Map<String, List<Double>> values = new HashMap<>();
    private final Map<String, Long> verified = new HashMap<>();
    private long writtenBytes;
    private String path = "";
    private double load = Double.NaN;

    void onMessage(Message message) {
        switch (message.kind()) {
            case HISTOGRAM ->
                histograms
                        .computeIfAbsent(message.text(0), k -> new ArrayList<>())
                        .add(message.histogram(1));
            case VALUE ->
                values.computeIfAbsent(message.text(0), k -> new ArrayList<>())
                        .add(Double.parseDouble(message.text(1)));
            case PATH -> path = message.text(0);
            case WRITTEN -> writtenBytes += message.number(0);
            case VERIFIED -> verified.merge(message.from(), message.number(0), Long::sum);
            default -> {}
        }
    }

    /// Bytes that came back to the client, or were written into the server, and were compared.
    long verifiedBytes(String from) {
        return verified.getOrDefault(from, 0L);
    }

    /// Whether every byte that was written into the server's memory was compared there.
    boolean isVerified() {
        return writtenBytes > 0 && writtenBytes == verifiedBytes(Session.SERVER);
    }

    long writtenBytes() {
        return writtenBytes;
    }

    /// The path that the measured messages took.
    String path() {
        return path;
    }

    boolean isOverSharedMemory() {
        return path.equals(PathSeen.SHARED_MEMORY);
    }

    boolean hasMeasurements() {
        return !rounds("verbena").isEmpty() && !values("verbena GB/s").isEmpty();
    }

    List<Histogram> rounds(String name) {
        return histograms.getOrDefault(name, List.of());
    }

    List<Double> values(String name) {
        return values.getOrDefault(name, List.of());
    }

    long count(String name) {
        return rounds(name).stream().mapToLong(Histogram::getTotalCount).sum();
    }

    /// Percentiles over all rounds, in microseconds.
    double[] microseconds(String name) {
        List<Histogram> rounds = rounds(name);
        Histogram all = rounds.getFirst().copy();
        rounds.stream().skip(1).forEach(all::add);
        return Arrays.stream(PERCENTILES)
                .map(p -> all.getValueAtPercentile(p) / 1e3)
                .toArray();
    }

    /// The ratio of the medians that are shown.
    double roundTripRatio() {
        return microseconds("verbena")[0] / microseconds("tcp")[0];
    }

    double bandwidth(String name) {
        return median(values(name + " GB/s"));
    }

    double bandwidthRatio() {
        return bandwidth("verbena") / bandwidth("datagrams");
    }

    boolean meetsGoals() {
        return roundTripRatio() <= ROUND_TRIP_GOAL && bandwidthRatio() >= BANDWIDTH_GOAL;
    }

    /// The load average before the demo began; negative when the system does not know.
    void load(double average) {
        load = average;
    }

    double load() {
        return load;
    }

    /// The demo itself needs two processors.
    boolean isDisturbed() {
        return load > Math.max(0.5, PROCESSORS - 1.5);
    }

    static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(d -> d).sorted().toArray();
        int n = sorted.length;
        return n == 0 ? Double.NaN : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new JsonObject()
                .with("verifiedBytesInServer", verifiedBytes(Session.SERVER))
                .with("verifiedBytesInClient", verifiedBytes(Session.CLIENT));
        if (hasMeasurements()) {
            json.put("roundTrip", roundTripJson());
            json.put("stream", streamJson());
            json.put("loadBefore", load);
            json.put("processors", PROCESSORS);
        }
        return json;
    }

    Map<String, Object> roundTripJson() {
        return new JsonObject()
                .with("path", path)
                .with("messageBytes", Link.MESSAGE_BYTES)
                .with("rounds", rounds("verbena").size())
                .with("roundTrips", count("verbena"))
                .with("verbenaUs", percentilesJson("verbena"))
                .with("plainTcpUs", percentilesJson("tcp"))
                .with("ratio", roundTripRatio())
                .with("goalAtMost", ROUND_TRIP_GOAL);
    }

    private Map<String, Object> percentilesJson(String name) {
        double[] us = microseconds(name);
        Map<String, Object> json = Json.object();
        for (int i = 0; i < us.length; i++) {
            json.put(PERCENTILE_NAMES.get(i), us[i]);
        }
        return json;
    }

    Map<String, Object> streamJson() {
        return new JsonObject()
                .with("path", path)
                .with("verbenaGBps", bandwidth("verbena"))
                .with("plainDatagramsGBps", bandwidth("datagrams"))
                .with("datagramWindow", median(values("datagram window")))
                .with("ratio", bandwidthRatio())
                .with("goalAtLeast", BANDWIDTH_GOAL);
    }
}
