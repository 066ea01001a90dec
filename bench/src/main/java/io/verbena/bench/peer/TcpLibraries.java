package io.verbena.bench.peer;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.pair.PairContestant.Ability;
import io.verbena.bench.pair.PairContestant.Profile;
import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.Sizes;
import java.util.List;
import java.util.Set;

/// What programs in Java use over TCP for messages and calls. Both come from Maven Central.
final class TcpLibraries {
    private static final Ability ROUND_TRIPS =
            Ability.of(Measurement.roundTrip(Operation.SEND, 1).withRead());
    private static final Ability STREAMS =
            Ability.of(Measurement.stream(Operation.SEND, 1).withRead());

    /// As those libraries need it: access to the JDK.
    private static final List<String> OPTIONS =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private TcpLibraries() {}

    static Contestant netty(Network network) {
        return new PairContestant(
                profile(Names.NETTY, NettySide.class, Set.of(ROUND_TRIPS, STREAMS), network), network);
    }

    static Contestant grpc(Network network) {
        return new PairContestant(profile(Names.GRPC, GrpcSide.class, Set.of(ROUND_TRIPS), network), network) {
            /// It has far more code to compile than the others.
            @Override
            public int warmUps() {
                return 4;
            }

            @Override
            public String remark() {
                return "one call after the other, with messages of plain bytes and without TLS";
            }
        };
    }

    private static Profile profile(
            String name, Class<? extends BenchSide> side, Set<Ability> abilities, Network network) {
        return new Profile(name, side, OPTIONS, List.of(network.serverAddress()), abilities, Sizes.MIB);
    }
}
