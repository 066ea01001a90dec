package io.verbena.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.RunResult;
import org.junit.jupiter.api.Test;

class SpreadTest {
    private static final Measurement SEND = Measurement.roundTrip(Operation.SEND, 64);
    private static final Cell OURS = new Cell("ours", SEND);
    private static final Cell PEER = new Cell("peer", SEND);

    @Test
    void shouldFindMedianAndQuartiles() {
        assertEquals(new Spread(4, 2.5, 5.5, 7), Spread.of(7, 1, 6, 2, 5, 3, 4));
        assertEquals(new Spread(2.5, 1.75, 3.25, 4), Spread.of(4, 3, 2, 1));
        assertEquals(new Spread(9, 9, 9, 1), Spread.of(9));
    }

    @Test
    void shouldLeaveOutWhatIsNotKnown() {
        assertEquals(new Spread(2, 1.5, 2.5, 3), Spread.of(1, Double.NaN, 2, 3));
        assertTrue(Spread.of().isEmpty());
        assertTrue(Double.isNaN(Spread.of(Double.NaN).median()));
    }

    /// In a slow round both are slow: their ratio is as ever, although the ratio of the medians is not.
    @Test
    void shouldDivideResultsOfTheSameRoundOnly() {
        Records records = new Records();
        double[][] rounds = {{100, 200}, {1000, 2000}, {120, 100}};
        for (int round = 1; round <= rounds.length; round++) {
            records.add(OURS, round, RunResult.latency(rounds[round - 1][0], 0, 0), 120);
            records.add(PEER, round, RunResult.latency(rounds[round - 1][1], 0, 0), 120);
        }
        records.add(OURS, 4, RunResult.latency(1, 0, 0), 120); // the peer failed in this round
        Spread ratio = records.ratio(OURS, PEER, Metric.MEDIAN);
        assertEquals(0.5, ratio.median());
        assertEquals(3, ratio.count());
        assertEquals(110, records.spread(OURS, Metric.MEDIAN).median());
        assertTrue(records.ratio(OURS, new Cell("nobody", SEND), Metric.MEDIAN).isEmpty());
    }

    @Test
    void shouldShowNumbersInTheirUnits() {
        RunResult result = RunResult.rate(1000, 2_000_000, 1e9).withUsage(50, 0.5);
        assertEquals(2, Metric.BANDWIDTH.of(result));
        assertEquals(2, Metric.RATE.of(result));
        assertEquals(10, Metric.CPU_SHARE.of(result), 1e-9);
        assertEquals(result.toLine(), RunResult.parse(result.toLine()).toLine());
        assertEquals(SEND, Measurement.parse(SEND.toLine()));
    }
}
