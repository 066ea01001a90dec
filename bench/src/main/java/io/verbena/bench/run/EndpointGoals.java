package io.verbena.bench.run;

import static io.verbena.bench.side.Measurement.Operation.SEND;
import static io.verbena.bench.side.Measurement.Operation.WRITE;
import static io.verbena.bench.side.Measurement.roundTrip;
import static io.verbena.bench.side.Measurement.stream;

import io.verbena.bench.run.Goal.Condition;
import io.verbena.bench.run.Goal.Pair;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Sizes;
import java.util.List;

/// The goals of connections of the endpoint, beside the same by the verbs.
final class EndpointGoals {
    private static final Measurement ROUND_TRIP = roundTrip(SEND, 64).withRead();
    private static final Measurement RATE = stream(SEND, 64).withRead();
    private static final Measurement LONG = stream(SEND, Sizes.MIB);
    private static final Measurement WRITES = stream(WRITE, Sizes.MIB);
    private static final double MOST_TIME = 1.15;
    private static final double LEAST_RATE = 0.85;
    private static final double LEAST_BANDWIDTH = 0.95;

    /// A message has 48 bytes, and a round trip has two.
    private static final double ONE_OBJECT_EACH = 96;

    static final List<Goal> ALL = List.of(
            time("shared memory", Names.ENDPOINT_SHARED, Names.SHARED),
            time("shared memory, handlers", Names.ENDPOINT_EVENTS, Names.SHARED),
            time("shared memory, serve", Names.ENDPOINT_SERVE, Names.SHARED),
            time("UDP", Names.ENDPOINT_UDP, Names.UDP),
            rate("shared memory", Names.ENDPOINT_SHARED, Names.SHARED),
            rate("shared memory, handlers", Names.ENDPOINT_EVENTS, Names.SHARED),
            rate("UDP", Names.ENDPOINT_UDP, Names.UDP),
            bandwidth("shared memory", Names.ENDPOINT_SHARED, Names.SHARED),
            bandwidth("UDP", Names.ENDPOINT_UDP, Names.UDP),
            allocated("endpoint: one small object for each message at most", Names.ENDPOINT_SHARED, ONE_OBJECT_EACH),
            allocated("endpoint, handlers: 0 B allocated", Names.ENDPOINT_EVENTS, 0));

    private EndpointGoals() {}

    private static Goal time(String path, String ours, String verbs) {
        return new Goal(
                "endpoint: 64 B round trip, " + path,
                "the verbs",
                Metric.MEDIAN,
                MOST_TIME,
                true,
                pair(ours, ROUND_TRIP, verbs, ROUND_TRIP),
                Condition.BESIDE);
    }

    private static Goal rate(String path, String ours, String verbs) {
        return new Goal(
                "endpoint: 64 B message rate, " + path,
                "the verbs",
                Metric.RATE,
                LEAST_RATE,
                false,
                pair(ours, RATE, verbs, RATE),
                Condition.NONE);
    }

    private static Goal bandwidth(String path, String ours, String verbs) {
        return new Goal(
                "endpoint: 1 MiB message bandwidth, " + path,
                "WRITE",
                Metric.BANDWIDTH,
                LEAST_BANDWIDTH,
                false,
                pair(ours, LONG, verbs, WRITES),
                Condition.NONE);
    }

    private static Goal allocated(String what, String ours, double most) {
        return new Goal(
                what,
                "",
                Metric.ALLOCATED,
                most,
                true,
                List.of(new Pair(new Cell(ours, ROUND_TRIP), null)),
                Condition.ALLOCATED);
    }

    private static List<Pair> pair(String ours, Measurement what, String peer, Measurement against) {
        return List.of(new Pair(new Cell(ours, what), new Cell(peer, against)));
    }
}
