package io.verbena.bench.run;

import static io.verbena.bench.side.Measurement.Operation.CACHE_LINE;
import static io.verbena.bench.side.Measurement.Operation.COPY;
import static io.verbena.bench.side.Measurement.Operation.DATAGRAM;
import static io.verbena.bench.side.Measurement.Operation.FETCH_ADD;
import static io.verbena.bench.side.Measurement.Operation.READ;
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
import java.util.Set;
import java.util.stream.Stream;

/// The goals, one row each.
public final class Goals {
    /// The UDP payload of a RoCEv2 packet with 4096 bytes of data.
    public static final int SEGMENT = 4112;

    private static final Measurement SEND_64 = roundTrip(SEND, 64).withRead();
    private static final Measurement SEND_64_UNREAD = roundTrip(SEND, 64);
    private static final Measurement SEND_64_BLOCKING = SEND_64.blocking();
    private static final Measurement WRITE_64 = roundTrip(WRITE, 64);
    private static final Measurement FETCH_ADD_8 = roundTrip(FETCH_ADD, 8);
    private static final Measurement SEND_RATE = stream(SEND, 64).withRead();
    private static final Measurement SEND_64K = stream(SEND, 64 * Sizes.KIB).withRead();
    private static final Measurement SEND_1M = stream(SEND, Sizes.MIB).withRead();
    private static final Measurement WRITE_1M = stream(WRITE, Sizes.MIB);

    private static final String SEND_SHARED = "64 B SEND ping-pong, shared memory, payload read";
    private static final String SEND_UDP = "64 B SEND ping-pong, UDP";
    private static final String WRITE_UDP = "1 MiB WRITE bandwidth, UDP, MTU 4096, ICRC on";

    private static final List<Pair> DIRECT = List.of(
            pair(Names.SHARED, stream(WRITE, 64 * Sizes.KIB), Names.MEMCPY, stream(COPY, 64 * Sizes.KIB)),
            pair(Names.SHARED, WRITE_1M, Names.MEMCPY, stream(COPY, Sizes.MIB)),
            pair(Names.SHARED, stream(READ, 64 * Sizes.KIB), Names.MEMCPY, stream(COPY, 64 * Sizes.KIB)),
            pair(Names.SHARED, stream(READ, Sizes.MIB), Names.MEMCPY, stream(COPY, Sizes.MIB)));

    private static final List<Pair> MIXED = List.of(
            pair(Names.MIXED_OWN_QUEUE, SEND_64, Names.SHARED, SEND_64),
            pair(Names.MIXED_ONE_QUEUE, SEND_64, Names.SHARED, SEND_64));

    /// What a message allocates, and its system calls.
    public static final Goal FREE = goal(
            "post + poll: 0 B allocated, no system call on the shared-memory path",
            "",
            Metric.ALLOCATED,
            0,
            new Pair(new Cell(Names.SHARED, SEND_64), null),
            Condition.FREE);

    private static final List<Goal> OF_VERBS = List.of(
            atMost(SEND_SHARED, Names.AERON_IPC, 1.25, pair(Names.SHARED, SEND_64, Names.AERON_IPC, SEND_64)),
            atMost(SEND_SHARED, "UCX tag_lat posix", 0.75, pair(Names.SHARED, SEND_64, Names.UCX_POSIX, SEND_64)),
            atMost(
                    "64 B SEND ping-pong, shared memory, completion seen only",
                    "UCX tag_lat posix",
                    0.7,
                    pair(Names.SHARED, SEND_64_UNREAD, Names.UCX_POSIX, SEND_64)),
            new Goal(
                    "64 B SEND ping-pong, shared memory, mixed device",
                    "pure device",
                    Metric.MEDIAN,
                    1.1,
                    true,
                    MIXED,
                    Condition.NONE),
            atMost(
                    "64 B WRITE ping-pong, shared memory",
                    "UCX put_lat posix",
                    1.2,
                    pair(Names.SHARED, WRITE_64, Names.UCX_POSIX, WRITE_64)),
            atLeast(
                    "64 KiB and 1 MiB WRITE and READ bandwidth, shared memory",
                    "memcpy",
                    0.95,
                    Metric.BANDWIDTH,
                    DIRECT),
            new Goal(
                    "1 MiB WRITE bandwidth, shared memory, 2 threads on 2 queue pairs",
                    "1 thread",
                    Metric.BANDWIDTH,
                    1.7,
                    false,
                    List.of(pair(Names.TWO_THREADS, WRITE_1M, Names.SHARED, WRITE_1M)),
                    Condition.SCALES),
            atLeast(
                    "64 KiB SEND bandwidth, payload read, shared memory",
                    "UCX tag_bw posix",
                    1.5,
                    Metric.BANDWIDTH,
                    List.of(pair(Names.SHARED, SEND_64K, Names.UCX_POSIX, SEND_64K))),
            atLeast(
                    "64 B SEND message rate, shared memory",
                    "UCX tag_bw posix",
                    1.4,
                    Metric.RATE,
                    List.of(pair(Names.SHARED, SEND_RATE, Names.UCX_POSIX, SEND_RATE))),
            atMost(
                    "8 B fetch-add, shared memory",
                    "cache-line round trip",
                    1.3,
                    pair(Names.SHARED, FETCH_ADD_8, Names.CACHE_LINE, roundTrip(CACHE_LINE, 8))),
            atMost(
                    "64 B SEND ping-pong, shared memory, G1",
                    "Serial",
                    1.05,
                    pair(Names.G1, SEND_64, Names.SERIAL, SEND_64)),
            atMost(SEND_UDP, "SocketChannel TCP busy-poll", 0.95, pair(Names.UDP, SEND_64, Names.TCP, SEND_64)),
            atMost(SEND_UDP, "UCX tag_lat tcp", 0.8, pair(Names.UDP, SEND_64, Names.UCX_TCP, SEND_64)),
            atMost(SEND_UDP, Names.LIBFABRIC_RXD, 0.35, pair(Names.UDP, SEND_64, Names.LIBFABRIC_RXD, SEND_64)),
            goal(
                    SEND_UDP + ", p99",
                    Names.AERON_UDP,
                    Metric.TAIL,
                    0.6,
                    pair(Names.UDP, SEND_64, Names.AERON_UDP, SEND_64),
                    Condition.NONE),
            atLeast(
                    WRITE_UDP,
                    "raw UDP_SEGMENT+UDP_GRO stream by FFM",
                    0.5,
                    Metric.BANDWIDTH,
                    List.of(pair(Names.UDP, WRITE_1M, Names.RAW_UDP, stream(DATAGRAM, SEGMENT)))),
            atLeast(
                    WRITE_UDP,
                    Names.LIBFABRIC_RXD,
                    8,
                    Metric.BANDWIDTH,
                    List.of(pair(Names.UDP, WRITE_1M, Names.LIBFABRIC_RXD, SEND_1M))),
            new Goal(
                    "64 B SEND message rate, UDP, 2 threads on 2 queue pairs",
                    "1 thread that drives both",
                    Metric.RATE,
                    1.5,
                    false,
                    List.of(pair(Names.UDP_TWO_THREADS, SEND_RATE, Names.UDP_ONE_THREAD, SEND_RATE)),
                    Condition.SEPARATE),
            goal(
                    "blocking (no spinning) round trip, UDP, CPU idle between messages",
                    "SocketChannel blocking",
                    Metric.MEDIAN,
                    1.15,
                    pair(Names.UDP, SEND_64_BLOCKING, Names.TCP, SEND_64_BLOCKING),
                    Condition.IDLE),
            FREE);

    public static final List<Goal> ALL =
            Stream.concat(OF_VERBS.stream(), EndpointGoals.ALL.stream()).toList();

    private static final Set<String> OVER_NETWORK = Set.of(
            Names.UDP,
            Names.ENDPOINT_UDP,
            Names.TCP,
            Names.RAW_UDP,
            Names.AERON_UDP,
            Names.UCX_TCP,
            Names.LIBFABRIC_RXD);

    /// The goals over UDP between two processes, with a network other than the loopback interface in between.
    public static final List<Goal> OVER_VETH = ALL.stream()
            .filter(goal -> goal.cells().stream().allMatch(cell -> OVER_NETWORK.contains(cell.contestant())))
            .map(goal -> goal.called(goal.what().replaceFirst("UDP", "UDP over veth")))
            .toList();

    private Goals() {}

    private static Pair pair(String ours, Measurement what, String peer, Measurement against) {
        return new Pair(new Cell(ours, what), new Cell(peer, against));
    }

    private static Goal atMost(String what, String against, double target, Pair pair) {
        return goal(what, against, Metric.MEDIAN, target, pair, Condition.NONE);
    }

    private static Goal goal(
            String what, String against, Metric metric, double target, Pair pair, Condition condition) {
        return new Goal(what, against, metric, target, true, List.of(pair), condition);
    }

    private static Goal atLeast(String what, String against, double target, Metric metric, List<Pair> pairs) {
        return new Goal(what, against, metric, target, false, pairs, Condition.NONE);
    }
}
