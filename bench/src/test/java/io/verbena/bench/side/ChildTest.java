package io.verbena.bench.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(20);

    private static Child shell(String script) throws IOException {
        return Child.command("shell", Map.of(), List.of("sh", "-c", script));
    }

    @Test
    void shouldHandOverLinesBothWays() throws Exception {
        try (Child child = shell("read line; echo noise; echo \"got $line\"")) {
            child.send("this");
            assertEquals("this", child.await("got", LONG));
            assertEquals(0, child.awaitEnd(LONG));
        }
    }

    @Test
    void shouldGiveUpOnOneThatSaysNothingAndKillIt() throws Exception {
        Child child = shell("sleep 1000");
        IOException e = assertThrows(IOException.class, () -> child.await(SHORT));
        assertTrue(e.getMessage().contains("shell said nothing for 100 ms"), e.getMessage());
        List<ProcessHandle> grandchildren =
                ProcessHandle.of(child.pid()).orElseThrow().descendants().toList();
        child.close();
        assertFalse(child.isAlive());
        for (ProcessHandle grandchild : grandchildren) {
            grandchild.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldRepeatTheLastWordsOfOneThatEnds() throws Exception {
        try (Child child = shell("echo 'no such device' >&2; exit 3")) {
            IOException e = assertThrows(IOException.class, () -> child.await(LONG));
            assertTrue(e.getMessage().contains("code 3: no such device"), e.getMessage());
        }
    }

    @Test
    void shouldTakeAnErrorForAFailure() throws Exception {
        try (Child child = shell("echo 'error out of luck'; sleep 1000")) {
            IOException e = assertThrows(IOException.class, () -> child.await("done", LONG));
            assertEquals("shell: out of luck", e.getMessage());
        }
    }
}
