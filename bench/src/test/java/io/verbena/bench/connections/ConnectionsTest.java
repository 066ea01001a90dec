package io.verbena.bench.connections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.SideBySide;
import io.verbena.bench.connections.ConnectionsRun.Timing;
import io.verbena.bench.report.TerminalProgress;
import io.verbena.bench.side.Child;
import io.verbena.bench.side.RunResult;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ConnectionsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static void expectMisuse(String message, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("connections"));
        Collections.addAll(all, arguments);
        try (Child child = Child.java("bench", List.of(), SideBySide.class, all)) {
            assertEquals(2, child.awaitEnd(LONG));
            assertEquals(": verbena: " + message + " | Try './verbena bench connections --help'.", child.lastWords());
        }
    }

    @Test
    void shouldRefuseWrongUsage() throws Exception {
        expectMisuse("--connections must be 1 to 28000, not 0", "--connections", "0");
        expectMisuse("--rounds must be 1 or more, not 0", "--rounds", "0");
        expectMisuse("there is no folder for no/such/folder.json", "--json", "no/such/folder.json");
    }

    /// So many that what else happens on the heap meanwhile does not matter, and few enough to be quick.
    @Test
    void shouldOpenMeasureAndCloseConnectionsInTwoRounds() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        TerminalProgress progress = new TerminalProgress(new PrintStream(said, true, StandardCharsets.UTF_8), false);
        Timing timing = new Timing(100, Duration.ofMillis(50), Duration.ofMillis(50));
        List<Round> rounds = new ConnectionsRun(500, 2, timing, progress).measure();
        assertEquals(2, rounds.size());
        for (Round round : rounds) {
            assertTrue(round.openSeconds() > 0 && round.closeSeconds() > 0, round::toString);
            for (Growth growth : List.of(round.client(), round.server())) {
                assertTrue(growth.heap() > 1000 && growth.heap() < ConnectionsReport.MOST_HEAP, round::toString);
                assertTrue(growth.heapAfter() < growth.heap(), round::toString);
            }
            assertTrue(round.ratio() > 0 && round.tailRatio() > 0, round::toString);
        }
        assertTrue(said.toString(StandardCharsets.UTF_8).contains("opening 500"), said::toString);
    }

    @Test
    void shouldReportMediansOfTheRoundsAndGoals() {
        Growth client = new Growth(5 * 1024, 9 * 1024, 0);
        Growth server = new Growth(17 * 1024, 9 * 1024, 0);
        Round round = new Round(2, 1, client, server, phase(8000, 0, 0), phase(8400, 0.03, 1000));
        ConnectionsReport report = new ConnectionsReport(10_000, List.of(round));
        String text = report.text();
        assertTrue(text.contains("2.00 s [2.00..2.00], 5,000 connects/s"), text);
        assertTrue(text.contains("server 17.0 KiB [17.0..17.0]   goal < 16 KiB: missed"), text);
        assertTrue(text.contains("p50 1.05 [1.05..1.05]"), text);
        assertTrue(text.contains("goal p50 ≤ 1.1: met"), text);
        assertTrue(text.contains("3.00 % of a processor, 1000 keep-alives/s"), text);
        String json = report.json();
        assertTrue(json.contains("\"connectsPerSecond\": 5000.0"), json);
        assertTrue(json.contains("\"met\": false"), json);
    }

    private static Phase phase(double p50, double idleCpu, double keepAlives) {
        RunResult run = RunResult.latency(p50, 2 * p50, p50);
        return new Phase(List.of(run, run), idleCpu, keepAlives);
    }
}
