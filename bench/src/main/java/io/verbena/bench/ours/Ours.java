package io.verbena.bench.ours;

import static io.verbena.bench.side.Measurement.Kind.PACED;
import static io.verbena.bench.side.Measurement.Kind.ROUND_TRIP;
import static io.verbena.bench.side.Measurement.Kind.STREAM;
import static io.verbena.bench.side.Measurement.Operation.FETCH_ADD;
import static io.verbena.bench.side.Measurement.Operation.READ;
import static io.verbena.bench.side.Measurement.Operation.SEND;
import static io.verbena.bench.side.Measurement.Operation.WRITE;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// Verbena over each of its paths, and over shared memory in variants that must not be slower: devices with other
/// traffic, two threads, and either garbage collector; over UDP also with two threads.
public final class Ours {
    static final int LARGEST = 16 * Sizes.MIB;
    /// The path between software devices: `udp`, `shared`, or `auto`.
    static final String PATH_PROPERTY = "verbena.soft.path";

    private static final Set<Ability> ABILITIES = Set.of(
            new Ability(ROUND_TRIP, SEND, SPIN, true),
            new Ability(ROUND_TRIP, SEND, SPIN, false),
            new Ability(ROUND_TRIP, SEND, BLOCK, true),
            new Ability(PACED, SEND, BLOCK, true),
            new Ability(ROUND_TRIP, WRITE, SPIN, false),
            new Ability(ROUND_TRIP, READ, SPIN, false),
            new Ability(ROUND_TRIP, FETCH_ADD, SPIN, false),
            new Ability(STREAM, SEND, SPIN, true),
            new Ability(STREAM, SEND, SPIN, false),
            new Ability(STREAM, WRITE, SPIN, false),
            new Ability(STREAM, READ, SPIN, false),
            new Ability(STREAM, FETCH_ADD, SPIN, false));

    /// Message size for the comparison of variants.
    static final int SHORT = 64;

    private static final int LARGEST_BY_ENDPOINT = Sizes.MIB;

    private static final Set<Ability> SHORT_SENDS = Set.of(new Ability(ROUND_TRIP, SEND, SPIN, true));
    private static final Set<Ability> SENDS = Set.of(
            new Ability(ROUND_TRIP, SEND, SPIN, true),
            new Ability(ROUND_TRIP, SEND, SPIN, false),
            new Ability(STREAM, SEND, SPIN, true),
            new Ability(STREAM, SEND, SPIN, false));
    private static final Set<Ability> SEND_STREAMS = Set.of(new Ability(STREAM, SEND, SPIN, true));
    private static final Set<Ability> WRITES = Set.of(new Ability(STREAM, WRITE, SPIN, false));

    private Ours() {}

    public static List<Contestant> all() {
        return List.of(
                shared(LARGEST),
                udp(LARGEST, Network.LOOPBACK),
                mixed(Names.MIXED_OWN_QUEUE, SideSetup.NeighbourSetup.OWN_QUEUE),
                mixed(Names.MIXED_ONE_QUEUE, SideSetup.NeighbourSetup.ONE_QUEUE),
                twoThreads(Sizes.MIB),
                collector(Names.G1, "-XX:+UseG1GC"),
                collector(Names.SERIAL, "-XX:+UseSerialGC"),
                udpThreads(Names.UDP_ONE_THREAD, 1, true),
                udpThreads(Names.UDP_TWO_THREADS, 2, true),
                udpThreads(Names.UDP_OWN_DEVICES, 2, false),
                endpointShared(Names.ENDPOINT_SHARED, EndpointSide.class),
                endpointUdp(Network.LOOPBACK),
                endpointShared(Names.ENDPOINT_EVENTS, EndpointEventSide.class),
                endpointShared(Names.ENDPOINT_SERVE, EndpointServeSide.class));
    }

    /// Those that take an address, and can run on two hosts.
    public static List<Contestant> overNetwork(Network network) {
        return List.of(udp(LARGEST, network), endpointUdp(network));
    }

    static PairContestant shared(int largest) {
        SideSetup setup = SideSetup.pure(address(), largest, true);
        return new SharedMemory(profile(Names.SHARED, path("shared"), setup, ABILITIES, 1));
    }

    static PairContestant udp(int largest, Network network) {
        String address = network.isLoopback() ? address() : network.serverAddress();
        SideSetup setup = SideSetup.pure(address, largest, false);
        return new CountedEvents(profile(Names.UDP, path("udp"), setup, ABILITIES, 1), network);
    }

    /// Connections of the endpoint, within one host.
    static PairContestant endpointShared(String name, Class<? extends BenchSide> side) {
        return new SharedMemory(endpoint(name, side, "shared", address()));
    }

    static PairContestant endpointUdp(Network network) {
        String address = network.isLoopback() ? address() : network.serverAddress();
        return new PairContestant(endpoint(Names.ENDPOINT_UDP, EndpointSide.class, "udp", address), network);
    }

    private static Profile endpoint(String name, Class<? extends BenchSide> side, String path, String address) {
        return new Profile(
                name,
                side,
                path(path),
                List.of(address, Integer.toString(LARGEST_BY_ENDPOINT)),
                SENDS,
                1,
                side == EndpointSide.class ? LARGEST_BY_ENDPOINT : SHORT);
    }

    /// Two connections over UDP within one process: see [ThreadsSide].
    ///
    /// @param together whether both are between the same two devices
    static PairContestant udpThreads(String name, int threads, boolean together) {
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(threads), address(), address()));
        arguments.addAll(together ? arguments.subList(1, 3) : List.of(address(), address()));
        return new CountedEvents(
                new Profile(name, ThreadsSide.class, path("udp"), arguments, SEND_STREAMS, SHORT, SHORT),
                Network.LOOPBACK);
    }

    /// The devices choose the path, because the neighbours need another one than the measured connection.
    static PairContestant mixed(String name, SideSetup.NeighbourSetup neighbours) {
        String udpPeer = address();
        SideSetup setup = SideSetup.pure(address(), SHORT, true).with(neighbours, udpPeer);
        return new MixedDevice(profile(name, path("auto"), setup, SHORT_SENDS, SHORT), udpPeer);
    }

    static PairContestant twoThreads(int size) {
        SideSetup setup = SideSetup.pure(address(), size, true).withThreads(2);
        return new SharedMemory(profile(Names.TWO_THREADS, path("shared"), setup, WRITES, size));
    }

    /// With the named garbage collector instead of the JVM's default.
    static PairContestant collector(String name, String option) {
        List<String> options = new ArrayList<>(path("shared"));
        options.add(option);
        return new SharedMemory(profile(name, options, SideSetup.pure(address(), SHORT, true), SHORT_SENDS, SHORT));
    }

    /// A connection over UDP that can be measured beside idle ones, by orders of [ConnectionsSide].
    public static PairContestant connections() {
        SideSetup setup = SideSetup.pure(address(), SHORT, false);
        return new PairContestant(new Profile(
                Names.UDP, ConnectionsSide.class, path("udp"), setup.toArguments(), SHORT_SENDS, SHORT, SHORT));
    }

    /// How long opening or closing so many idle connections may take.
    public static Duration connectionsLimit(int count) {
        return IdleConnections.limit(count);
    }

    static List<String> path(String path) {
        return List.of("-D" + PATH_PROPERTY + "=" + path);
    }

    /// A loopback address that is probably unused.
    private static String address() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "127.%d.%d.%d".formatted(random.nextInt(64, 127), random.nextInt(256), random.nextInt(1, 255));
    }

    /// @param smallest the smallest measured size; variants for one goal measure only the size of that goal
    private static Profile profile(
            String name, List<String> options, SideSetup setup, Set<Ability> abilities, int smallest) {
        return new Profile(name, VerbsSide.class, options, setup.toArguments(), abilities, smallest, setup.largest());
    }
}
