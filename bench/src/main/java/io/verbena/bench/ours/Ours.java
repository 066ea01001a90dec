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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/// Verbena over each of its paths.
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

    private Ours() {}

    public static List<Contestant> all() {
        return List.of(new SharedMemory(), udp(LARGEST));
    }

    static PairContestant udp(int largest) {
        return new PairContestant(profile(Names.UDP, "udp", false, largest));
    }

    /// On loopback addresses that nobody else is likely to use.
    static Profile profile(String name, String path, boolean shared, int largest) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String address = "127.%d.%d.%d".formatted(random.nextInt(64, 127), random.nextInt(256), random.nextInt(1, 255));
        return new Profile(
                name,
                VerbsSide.class,
                List.of("-D" + PATH_PROPERTY + "=" + path),
                List.of(address, Integer.toString(largest), Boolean.toString(shared)),
                ABILITIES,
                largest);
    }
}
