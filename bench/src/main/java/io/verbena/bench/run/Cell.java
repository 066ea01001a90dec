package io.verbena.bench.run;

import io.verbena.bench.side.Measurement;

/// One measurement of one contestant, which is run once in each round.
public record Cell(String contestant, Measurement measurement) {
    @Override
    public String toString() {
        return contestant + ": " + measurement;
    }
}
