package io.verbena.tools.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.measure.CpuTime;
import io.verbena.tools.CommandRun;
import io.verbena.tools.program.Output;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ComparisonTest {
    private static ComparisonRow row(WaitMode mode) {
        var row = new ComparisonRow(mode);
        row.roundTrip(mode.spins() ? 10_000 : 40_000);
        row.busy().add(Duration.ofSeconds(2), cpu(2000), cpu(1000));
        row.idle().add(Duration.ofSeconds(1), cpu(mode.spins() ? 1000 : 10), cpu(mode.spins() ? 1000 : 10));
        return row;
    }

    private static CpuTime cpu(int ms) {
        return new CpuTime(Duration.ofMillis(ms / 2), Duration.ofMillis(ms - ms / 2));
    }

    private static String print(boolean json, int processors) {
        var out = new StringWriter();
        List<ComparisonRow> rows =
                WaitMode.ALL.stream().map(ComparisonTest::row).toList();
        new ComparisonTable(rows, 8, "UDP", processors)
                .print(new Output("ping", new PrintWriter(out), new PrintWriter(new StringWriter()), json));
        return out.toString();
    }

    @Test
    void shouldTeachItsLessonInOneTable() {
        assertEquals("""
                Round trip of 8 bytes over UDP in microseconds; CPU time, user and kernel, as share of one core

                                      round trip         CPU, pinging      CPU, idle
                --cm    --wait      p50      p99     mean   client  server   client  server
                sync    spin       10.0     10.0     10.0    100 %    50 %    100 %   100 %
                sync    notify     40.0     40.0     40.0    100 %    50 %      1 %     1 %
                """, print(false, 8).lines().limit(6).reduce("", (all, line) -> all + line + "\n"));
        assertTrue(
                print(false, 8)
                        .endsWith("Spinning: 10.0 microseconds, and 100 % of a core on each side even when idle."
                                + " Sleeping: 40.0, 4.0 times slower, and 1 % when idle.\n"),
                print(false, 8));
        assertTrue(print(false, 2)
                .endsWith("This machine has 2 processors: where both sides spin, nothing is left for"
                        + " anybody else.\n"));
    }

    @Test
    void shouldCompareAllWaysBetweenTwoProcesses() {
        CommandRun run = CommandRun.of("ping", "--compare", "-c", "20", "--idle", "20", "--json");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("", run.err());
        long measured = Pattern.compile("\"roundTrips\": [1-9]")
                .matcher(run.out())
                .results()
                .count();
        assertTrue(run.out().matches("(?s).*\"path\": \"(UDP|shared memory)\".*"), run.out());
        assertEquals(9, measured, run.out()); // how many, is not sure: on a busy machine a turn ends by its time
        for (String wait : List.of("spin", "notify", "poll")) {
            assertEquals(
                    3,
                    Pattern.compile("\"wait\": \"" + wait)
                            .matcher(run.out())
                            .results()
                            .count(),
                    run.out());
        }
        assertTrue(run.out().contains("\"lesson\": \"Spinning: "), run.out());
    }

    @Test
    void shouldTakeNoHost() {
        CommandRun run = CommandRun.of("ping", "127.0.0.1", "--compare");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("--compare takes no HOST: it starts a server of its own"), run.err());
    }
}
