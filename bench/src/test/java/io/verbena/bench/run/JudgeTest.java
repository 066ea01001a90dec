package io.verbena.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.side.Names;
import io.verbena.bench.side.RunResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private static final Goal AERON = Goals.ALL.get(0);
    private static final Goal DIRECT = Goals.ALL.get(5);
    private static final Goal TWO_THREADS = Goals.ALL.get(6);
    private static final Goal TAIL = Goals.ALL.get(14);
    private static final Goal TWO_UDP_THREADS = Goals.ALL.get(17);
    private static final Goal BLOCKING = Goals.ALL.get(18);
    private static final Goal FREE = Goals.ALL.get(19);
    private static final SystemCalls.Count NO_CALLS = new SystemCalls.Count(0, "no system call");

    private final Records records = new Records();

    private Outcome judge(Goal goal, SystemCalls.Count calls) {
        return new Judge(records, name -> name + " is absent: apt install it", calls)
                .judge(List.of(goal), List.of(goal))
                .getFirst();
    }

    private void both(Goal.Pair pair, double ours, double peer) {
        for (int round = 1; round <= 3; round++) {
            records.add(pair.ours(), round, result(ours), 120);
            records.add(pair.peer(), round, result(peer), 120);
        }
    }

    /// The same number as time and as rate.
    private static RunResult result(double value) {
        return new RunResult(value, value, value, value, value, 10, 0);
    }

    @Test
    void shouldMeetAGoalAtItsTarget() {
        both(AERON.pairs().getFirst(), 125, 100);
        Outcome outcome = judge(AERON, NO_CALLS);
        assertTrue(outcome.met());
        assertEquals(1.25, outcome.ratio().median());
        assertEquals(125, outcome.ours());
        assertEquals(100, outcome.peer());
        assertEquals(120, outcome.probeNs());
    }

    @Test
    void shouldMissAGoalBeyondItsTarget() {
        both(AERON.pairs().getFirst(), 126, 100);
        assertFalse(judge(AERON, NO_CALLS).met());
    }

    @Test
    void shouldTakeTheWorstOfSeveralPairs() {
        double[] ours = {100, 99, 90, 98};
        for (int i = 0; i < ours.length; i++) {
            both(DIRECT.pairs().get(i), ours[i] * 1e9, 100e9);
        }
        Outcome outcome = judge(DIRECT, NO_CALLS);
        assertFalse(outcome.met());
        assertEquals(4, outcome.parts().size());
        assertTrue(outcome.ratio().median() < 0.95, "the worst counts: " + outcome.ratio());
    }

    @Test
    void shouldSayWhichCommandInstallsAnAbsentPeer() {
        records.add(AERON.pairs().getFirst().ours(), 1, result(100), 120);
        Outcome outcome = judge(AERON, NO_CALLS);
        assertFalse(outcome.met());
        assertEquals(Names.AERON_IPC + " is absent: apt install it", outcome.skipped());
        assertTrue(Double.isNaN(outcome.ratio().median()));
    }

    @Test
    void shouldJudgeTwoThreadsOnlyWherePlainCopiesScale() {
        both(TWO_THREADS.pairs().getFirst(), 175e9, 100e9);
        assertTrue(judge(TWO_THREADS, NO_CALLS).skipped().contains("absent"), "nobody measured plain copies");
        both(TWO_THREADS.copies(), 150e9, 100e9);
        Outcome outcome = judge(TWO_THREADS, NO_CALLS);
        assertFalse(outcome.met());
        assertEquals(
                "not judged: plain copies by 2 threads were only 1.50 times as fast as by 1 here, which must be 1.8"
                        + " (ours were 1.75)",
                outcome.skipped());
    }

    @Test
    void shouldJudgeTwoThreadsWherePlainCopiesScale() {
        both(TWO_THREADS.pairs().getFirst(), 175e9, 100e9);
        both(TWO_THREADS.copies(), 185e9, 100e9);
        assertTrue(judge(TWO_THREADS, NO_CALLS).met());
    }

    @Test
    void shouldShowWhatMayHaveDisturbedATail() {
        RunResult ours = RunResult.rate(64, 100_000, 1e9);
        for (int round = 1; round <= 3; round++) {
            records.add(
                    TAIL.pairs().getFirst().ours(),
                    round,
                    new RunResult(8e3, 2e4, 9e3, ours.bytesPerSecond(), ours.messagesPerSecond(), 0, 0)
                            .withEvents(Map.of("checks by the device's thread", 15.0 + round)),
                    120);
            records.add(TAIL.pairs().getFirst().peer(), round, RunResult.latency(8e3, 4e4, 9e3), 120);
        }
        Outcome outcome = judge(TAIL, NO_CALLS);
        assertTrue(outcome.met());
        assertEquals(
                "per second: 100,000 messages (the slowest hundredth is 1,000), 17 checks by the device's thread",
                outcome.remark());
    }

    @Test
    void shouldShowWhatTwoThreadsReachThatShareNothing() {
        both(TWO_UDP_THREADS.pairs().getFirst(), 150e6, 100e6);
        assertEquals(
                "two threads with devices of their own: not measured",
                judge(TWO_UDP_THREADS, NO_CALLS).remark());
        both(
                new Goal.Pair(
                        TWO_UDP_THREADS.separate(),
                        TWO_UDP_THREADS.pairs().getFirst().peer()),
                160e6,
                100e6);
        Outcome outcome = judge(TWO_UDP_THREADS, NO_CALLS);
        assertTrue(outcome.met());
        assertEquals("two threads with devices of their own: 1.60", outcome.remark());
    }

    @Test
    void shouldWantIdleProcessorsBetweenMessages() {
        both(BLOCKING.pairs().getFirst(), 100, 100);
        assertFalse(judge(BLOCKING, NO_CALLS).met(), "nobody measured that it sleeps");
        records.add(BLOCKING.paced(), 1, RunResult.rate(64, 100, 1e9).withUsage(9e6, 0), 120);
        assertFalse(judge(BLOCKING, NO_CALLS).met(), "90 % of a processor is not idle");
        for (int round = 2; round <= 4; round++) {
            records.add(BLOCKING.paced(), round, RunResult.rate(64, 100, 1e9).withUsage(1e5, 0), 120);
        }
        assertTrue(judge(BLOCKING, NO_CALLS).met());
    }

    @Test
    void shouldWantNeitherGarbageNorSystemCalls() {
        Cell cell = FREE.pairs().getFirst().ours();
        for (int round = 1; round <= 3; round++) {
            records.add(cell, round, RunResult.latency(1, 1, 1).withUsage(1, 0.0001), 120);
        }
        assertTrue(judge(FREE, NO_CALLS).met());
        assertEquals(0, judge(FREE, NO_CALLS).ours());
        assertFalse(judge(FREE, new SystemCalls.Count(2, "two")).met());
        assertFalse(judge(FREE, SystemCalls.Count.unknown("no strace")).met());
        for (int round = 4; round <= 9; round++) {
            records.add(cell, round, RunResult.latency(1, 1, 1).withUsage(1, 16), 120);
        }
        assertFalse(judge(FREE, NO_CALLS).met());
    }

    @Test
    void shouldSayThatMoreRoundTripsMadeNoMoreSystemCalls() {
        assertEquals("20,000 more round trips made no more system calls (405, then 405)", SystemCalls.free(405, 405));
        assertEquals(
                "20,000 more round trips made only 2 more system calls (405, then 407)", SystemCalls.free(405, 407));
    }

    @Test
    void shouldReadTheSumOfStrace() {
        assertEquals(29, SystemCalls.total("100.00    0.000000           0        29         1 total"));
        assertEquals(1234, SystemCalls.total("100.00    0.000123           1      1234           total"));
    }
}
