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

import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.pair.PairContestant.Ability;
import io.verbena.bench.pair.PairContestant.Profile;
import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// Verbena over each of its paths, and over shared memory in setups that must not be slower: devices that do other
/// things, too, two threads, and either collector.
public final class Ours {
    static final int LARGEST = 16 * Sizes.MIB;
    /// Chooses the way between software devices: `udp`, `shared`, or `auto`.
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

    /// Bytes of the messages that setups are compared by.
    private static final int SHORT = 64;

    private static final Set<Ability> SHORT_SENDS = Set.of(new Ability(ROUND_TRIP, SEND, SPIN, true));
    private static final Set<Ability> WRITES = Set.of(new Ability(STREAM, WRITE, SPIN, false));

    private Ours() {}

    public static List<Contestant> all() {
        return List.of(
                shared(LARGEST),
                udp(LARGEST),
                mixed(Names.MIXED_OWN_QUEUE, Setup.Company.OWN_QUEUE),
                mixed(Names.MIXED_ONE_QUEUE, Setup.Company.ONE_QUEUE),
                twoThreads(Sizes.MIB),
                collector(Names.G1, "-XX:+UseG1GC"),
                collector(Names.SERIAL, "-XX:+UseSerialGC"));
    }

    static PairContestant shared(int largest) {
        Setup setup = Setup.pure(address(), largest, true);
        return new SharedMemory(profile(Names.SHARED, path("shared"), setup, ABILITIES, 1));
    }

    static PairContestant udp(int largest) {
        Setup setup = Setup.pure(address(), largest, false);
        return new PairContestant(profile(Names.UDP, path("udp"), setup, ABILITIES, 1));
    }

    /// The path is left to the devices, as the neighbours need another one than the measured connection.
    static PairContestant mixed(String name, Setup.Company company) {
        String udpPeer = address();
        Setup setup = Setup.pure(address(), SHORT, true).with(company, udpPeer);
        return new MixedDevice(profile(name, path("auto"), setup, SHORT_SENDS, SHORT), udpPeer);
    }

    static PairContestant twoThreads(int size) {
        Setup setup = Setup.pure(address(), size, true).withThreads(2);
        return new SharedMemory(profile(Names.TWO_THREADS, path("shared"), setup, WRITES, size));
    }

    /// With a collector that is named, whatever the JVM would choose.
    static PairContestant collector(String name, String option) {
        List<String> options = new ArrayList<>(path("shared"));
        options.add(option);
        return new SharedMemory(profile(name, options, Setup.pure(address(), SHORT, true), SHORT_SENDS, SHORT));
    }

    static List<String> path(String path) {
        return List.of("-D" + PATH_PROPERTY + "=" + path);
    }

    /// A loopback address that nobody else is likely to use.
    private static String address() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "127.%d.%d.%d".formatted(random.nextInt(64, 127), random.nextInt(256), random.nextInt(1, 255));
    }

    /// @param smallest of the sizes it measures; those that exist for one goal measure the goal's only
    private static Profile profile(
            String name, List<String> options, Setup setup, Set<Ability> abilities, int smallest) {
        return new Profile(name, VerbsSide.class, options, setup.toArguments(), abilities, smallest, setup.largest());
    }
}
