package io.verbena.tools.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The options as a user gives them, to a client that finds no server.
@Timeout(30)
class TraceOptionsTest {
    @TempDir
    private Path folder;

    private static CommandRun runClient(String... more) {
        List<String> all = new ArrayList<>(List.of(
                "-c", "-a", LoopbackAddress.any(), "--device", LoopbackAddress.any(), "-C", "1", "--timeout", "1"));
        all.addAll(List.of(more));
        return CommandRun.of("rping", all.toArray(String[]::new));
    }

    @Test
    void shouldTellTheTraceOnStandardErrorAndLeaveTheResultAlone() {
        CommandRun run = runClient("--trace", "--json");
        assertEquals(1, run.exitCode());
        assertInstanceOf(Map.class, Json.read(run.out()));
        assertTrue(run.err().lines().anyMatch(line -> line.matches(" +0\\.000   rdma_create_id  .*")), run.err());
        assertTrue(run.err().contains("< RDMA_CM_EVENT_UNREACHABLE"), run.err());
        assertTrue(run.err().contains("< rdma_connect             failed: "), run.err());
    }

    @Test
    void shouldTellNothingUnlessAsked() {
        assertEquals(1, runClient().err().lines().count());
    }

    @Test
    void shouldWriteOneJsonObjectPerLine() throws Exception {
        Path file = folder.resolve("client.jsonl");
        CommandRun run = runClient("--trace-file", file.toString());
        assertEquals(1, run.err().lines().count(), "only the failure: " + run.err());
        List<String> lines = Files.readAllLines(file);
        assertTrue(lines.size() > 5, lines.toString());
        double last = 0;
        for (String line : lines) {
            Map<?, ?> object = assertInstanceOf(Map.class, Json.read(line));
            assertEquals("client", object.get("role"));
            assertTrue(List.of("call", "failure", "completion", "event").contains(object.get("kind")), line);
            assertInstanceOf(String.class, object.get("verb"));
            assertInstanceOf(Map.class, object.get("details"));
            assertTrue((double) object.get("timeNs") >= last, line);
            last = (double) object.get("timeNs");
            assertFalse(String.valueOf(object.get("thread")).isEmpty());
        }
    }

    @Test
    void shouldSayThatTheFileCannotBeWritten() {
        CommandRun run =
                runClient("--trace-file", folder.resolve("no/where.jsonl").toString());
        assertEquals(1, run.exitCode());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains("cannot write --trace-file "), run.err());
        assertTrue(run.err().contains("folder"), run.err());
    }
}
