package io.verbena.tools.demo;

import java.util.List;

/// What the client process of the demo is to do; it tells the server the rest.
record PeerOptions(int roundTrips, int rounds, long writeBytes, int writesOfRound, long warmUpMs) {
    long bytesOfRound() {
        return writeBytes * writesOfRound;
    }

    long warmUpNs() {
        return warmUpMs * 1_000_000;
    }

    List<String> arguments() {
        return List.of(
                "--round-trips=" + roundTrips,
                "--rounds=" + rounds,
                "--write-bytes=" + writeBytes,
                "--writes=" + writesOfRound,
                "--warm-up=" + warmUpMs);
    }
}
