package io.verbena.bench.side;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.side.Measurement.Kind;
import java.time.Duration;
import java.util.List;

/// Lets a contestant do a few messages of each measurement, and checks that the result is plausible.
public final class TinyRun {
    private static final Duration TIME = Duration.ofMillis(20);

    private TinyRun() {}

    public static void of(Contestant contestant, List<Measurement> measurements) throws Exception {
        List<ProcessHandle> before = ProcessHandle.current().children().toList();
        List<ProcessHandle> started;
        double cpuNs = 0;
        try (contestant) {
            contestant.open();
            started = ProcessHandle.current()
                    .children()
                    .filter(child -> !before.contains(child))
                    .toList();
            for (Measurement measurement : measurements) {
                assertTrue(contestant.can(measurement), contestant.name() + " should do " + measurement);
                RunResult result = contestant.run(measurement, TIME);
                check(measurement, result);
                cpuNs += result.cpuNs();
            }
        }
        // A single run may be too short for the system's clock of processor time.
        assertTrue(measurements.size() == 1 || cpuNs > 0, "all of it should have taken processor time");
        assertFalse(started.isEmpty(), "it should have started processes");
        for (ProcessHandle child : started) {
            assertFalse(child.isAlive(), "process " + child.pid() + " should have ended");
        }
    }

    private static void check(Measurement measurement, RunResult result) {
        String all = measurement + ": " + result;
        assertTrue(result.messagesPerSecond() > 0, all);
        assertTrue(result.bytesPerSecond() >= result.messagesPerSecond(), all);
        assertTrue(result.cpuNs() >= 0, all);
        assertTrue(result.allocated() >= 0, all);
        if (measurement.kind() != Kind.STREAM) {
            assertTrue(result.p50() > 0 && result.p99() >= result.p50() && result.mean() > 0, all);
        }
    }
}
