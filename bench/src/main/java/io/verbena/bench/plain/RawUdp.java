package io.verbena.bench.plain;

import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.side.Network;
import java.util.Locale;
import java.util.Optional;

/// Calls system calls by Linux numbers, so it runs on Linux only.
final class RawUdp extends PairContestant {
    RawUdp(Profile profile, Network network) {
        super(profile, network);
    }

    @Override
    public Optional<String> missing() {
        boolean linux = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("linux");
        return linux ? Optional.empty() : Optional.of("raw UDP is measured on Linux only");
    }

    @Override
    public String remark() {
        return "the receiver reads no byte; streams leave and arrive 15 datagrams at a time";
    }
}
