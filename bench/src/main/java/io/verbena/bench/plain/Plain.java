package io.verbena.bench.plain;

import static io.verbena.bench.side.Measurement.Kind.PACED;
import static io.verbena.bench.side.Measurement.Kind.ROUND_TRIP;
import static io.verbena.bench.side.Measurement.Kind.STREAM;
import static io.verbena.bench.side.Measurement.Operation.CACHE_LINE;
import static io.verbena.bench.side.Measurement.Operation.COPY;
import static io.verbena.bench.side.Measurement.Operation.DATAGRAM;
import static io.verbena.bench.side.Measurement.Operation.SEND;
import static io.verbena.bench.side.Measurement.Waiting.BLOCK;
import static io.verbena.bench.side.Measurement.Waiting.SPIN;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.pair.PairContestant.Ability;
import io.verbena.bench.pair.PairContestant.Profile;
import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Contestants without a library.
public final class Plain {
    private static final int LARGEST = 16 * Sizes.MIB;
    private static final Set<Ability> COPIES = Set.of(new Ability(STREAM, COPY, SPIN, false));

    private Plain() {}

    public static List<Contestant> all() {
        List<Contestant> all = new ArrayList<>(overNetwork(Network.LOOPBACK));
        all.add(copy(Names.MEMCPY, "c", LARGEST));
        all.add(copy(Names.JAVA_COPY, "java", LARGEST));
        all.add(copyByTwo(Sizes.MIB));
        return List.copyOf(all);
    }

    /// Those that take an address, and can run on two hosts.
    public static List<Contestant> overNetwork(Network network) {
        return List.of(tcp(LARGEST, network), rawUdp(network));
    }

    static Contestant tcp(int largest, Network network) {
        Profile profile = profile(
                Names.TCP,
                TcpSide.class,
                List.of(Integer.toString(largest), network.serverAddress()),
                Set.of(
                        new Ability(ROUND_TRIP, SEND, SPIN, true),
                        new Ability(ROUND_TRIP, SEND, BLOCK, true),
                        new Ability(PACED, SEND, BLOCK, true),
                        new Ability(STREAM, SEND, SPIN, true)),
                largest);
        return new PairContestant(profile, network);
    }

    /// Streams use GSO, so no datagram is larger than a 15th of 64 KiB.
    static Contestant rawUdp(Network network) {
        Profile profile = profile(
                Names.RAW_UDP,
                RawUdpSide.class,
                List.of(network.serverAddress(), network.clientAddress()),
                Set.of(new Ability(ROUND_TRIP, DATAGRAM, SPIN, false), new Ability(STREAM, DATAGRAM, SPIN, false)),
                65507 / RawUdpSide.SEGMENTS);
        return new RawUdp(profile, network);
    }

    static Contestant copy(String name, String with, int largest) {
        return pair(name, CopySide.class, List.of(with, Integer.toString(largest), "1"), COPIES, largest);
    }

    /// The gain of two threads that share nothing: the limit of everything that two threads do. Only for the size of
    /// the goal.
    static Contestant copyByTwo(int size) {
        return new PairContestant(new Profile(
                Names.MEMCPY_TWO_THREADS,
                CopySide.class,
                List.of(),
                List.of("c", Integer.toString(size), "2"),
                COPIES,
                size,
                size));
    }

    /// Also the probe before each run.
    public static Contestant cacheLine() {
        return pair(
                Names.CACHE_LINE,
                CacheLineSide.class,
                List.of(),
                Set.of(new Ability(ROUND_TRIP, CACHE_LINE, SPIN, false)),
                Long.BYTES);
    }

    private static Contestant pair(
            String name, Class<? extends BenchSide> side, List<String> arguments, Set<Ability> abilities, int largest) {
        return new PairContestant(profile(name, side, arguments, abilities, largest));
    }

    private static Profile profile(
            String name, Class<? extends BenchSide> side, List<String> arguments, Set<Ability> abilities, int largest) {
        return new Profile(name, side, List.of(), arguments, abilities, largest);
    }
}
