package io.verbena.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.RunResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RunnerTest {
    private static final Measurement SEND = Measurement.roundTrip(Operation.SEND, 64);
    private static final Duration LIMIT = Duration.ofMillis(300);
    private static final Duration SHORT = Duration.ofMillis(1);

    private final List<String> order = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /// Answers at once, unless told otherwise.
    private class Made implements Contestant {
        private final String name;
        int opened;
        int closed;

        Made(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Optional<String> missing() {
            return Optional.empty();
        }

        @Override
        public boolean can(Measurement measurement) {
            return measurement.equals(SEND);
        }

        @Override
        public void open() {
            opened++;
        }

        @Override
        public RunResult run(Measurement measurement, Duration time) throws Exception {
            if (measurement.equals(SEND)) {
                order.add(name);
            }
            return RunResult.latency(100, 200, 110);
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private Runner runner(int rounds, Contestant... contestants) {
        List<Contestant> all = List.of(contestants);
        RunPlan plan = new RunPlan(
                Goals.ALL, all.stream().map(one -> new Cell(one.name(), SEND)).toList(), List.of());
        RunProgress progress = new RunProgress() {
            @Override
            public void step(String what, int done, int total) {
                assertTrue(done <= total, done + " of " + total);
            }

            @Override
            public void note(String text) {
                notes.add(text);
            }

            @Override
            public void end() {}
        };
        Timing timing = new Timing(
                rounds, rounds, SHORT, SHORT, SHORT, SHORT, LIMIT.multipliedBy(200), LIMIT.multipliedBy(200));
        return new Runner(all, new Made("probe"), plan, timing, progress, LIMIT);
    }

    @Test
    void shouldAlternateContestantsWithinEachRound() {
        Made a = new Made("a");
        Made b = new Made("b");
        try (Runner runner = runner(3, a, b)) {
            Records records = runner.run();
            assertEquals(List.of("a", "b", "b", "a", "a", "b"), order);
            assertEquals(3, records.of(new Cell("a", SEND)).size());
            assertEquals(100, records.probe(new Cell("b", SEND)).median(), "the probe stands beside each result");
        }
        assertEquals(1, a.opened);
        assertTrue(a.closed > 0 && b.closed > 0);
    }

    @Test
    void shouldCutOffAContestantThatHangsAndGoOnWithTheRest() {
        Made hanging = new Made("hanging") {
            @Override
            public RunResult run(Measurement measurement, Duration time) throws Exception {
                new CountDownLatch(1).await();
                return null;
            }
        };
        try (Runner runner = runner(5, hanging, new Made("good"))) {
            Records records = runner.run();
            assertEquals(5, records.of(new Cell("good", SEND)).size());
            assertTrue(records.of(new Cell("hanging", SEND)).isEmpty());
            assertTrue(runner.absence("hanging").startsWith("failed 3 times"), runner.absence("hanging"));
        }
        assertEquals(3, hanging.opened, "it gets more than one chance");
        assertTrue(hanging.closed >= 3);
        assertTrue(notes.getFirst().contains("not done after"), notes.toString());
    }

    @Test
    void shouldGoOnAfterAFailureInOneRound() {
        Made once = new Made("once") {
            private int runs;

            @Override
            public RunResult run(Measurement measurement, Duration time) throws Exception {
                if (runs++ == 1) {
                    throw new IllegalStateException("out of luck");
                }
                return super.run(measurement, time);
            }
        };
        try (Runner runner = runner(4, once)) {
            assertEquals(3, runner.run().of(new Cell("once", SEND)).size());
        }
        assertEquals(2, once.opened);
        assertEquals(List.of("once: out of luck"), notes);
    }

    @Test
    void shouldSkipWhatIsNotInstalledAndSayTheCommand() {
        Made absent = new Made("absent") {
            @Override
            public Optional<String> missing() {
                return Optional.of("apt install absent");
            }
        };
        try (Runner runner = runner(2, absent, new Made("good"))) {
            Records records = runner.run();
            assertEquals(2, records.of(new Cell("good", SEND)).size());
            assertEquals("apt install absent", runner.absence("absent"));
        }
        assertEquals(0, absent.opened);
        assertEquals(List.of("absent: skipped: apt install absent"), notes);
    }

    @Test
    void shouldLeaveOutAContestantThatDoesNotStart() {
        Made broken = new Made("broken") {
            @Override
            public void open() {
                throw new IllegalStateException("no memory");
            }
        };
        try (Runner runner = runner(2, broken)) {
            assertTrue(runner.run().cells().isEmpty());
            assertEquals("no memory", runner.absence("broken"));
            assertFalse(runner.countSystemCalls().isKnown());
        }
    }
}
