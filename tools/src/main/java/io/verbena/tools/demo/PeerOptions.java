package io.verbena.tools.demo;

/// The options of the client process, which commands the server.
record PeerOptions(int roundTrips, int rounds, long writeBytes, int writesOfRound, long warmUpMs) {
    /// @param numbers as [#argument] writes them
    static PeerOptions of(long... numbers) {
        return new PeerOptions((int) numbers[0], (int) numbers[1], numbers[2], (int) numbers[3], numbers[4]);
    }

    /// For the command line of [DemoPeer].
    String argument() {
        return "--options=" + roundTrips + "," + rounds + "," + writeBytes + "," + writesOfRound + "," + warmUpMs;
    }

    long bytesOfRound() {
        return writeBytes * writesOfRound;
    }

    long warmUpNs() {
        return warmUpMs * 1_000_000;
    }
}
