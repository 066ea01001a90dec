package io.verbena.bench.connections;

/// All connections opened once, and closed.
record Round(double openSeconds, double closeSeconds, Growth client, Growth server, Phase alone, Phase beside) {
    /// How much longer the median round trip takes beside the idle connections, as a factor.
    double ratio() {
        return beside.median().median() / alone.median().median();
    }

    double tailRatio() {
        return beside.tail().median() / alone.tail().median();
    }
}
