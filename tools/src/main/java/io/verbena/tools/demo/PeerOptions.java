package io.verbena.tools.demo;

import java.util.List;

/// The options of the client process, which commands the server.
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
