package io.verbena.bench.side;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamespacesTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// Where it may not make them, it must say why and what helps.
    @Test
    void shouldConnectTwoNamespacesAndRemoveThem() throws Exception {
        try (Namespaces _ = Namespaces.open()) {
            assertEquals(2, own());
            try (Child ping = Child.command("ip", Map.of(), Namespaces.NETWORK.command(false, route()))) {
                assertEquals(0, ping.awaitEnd(LIMIT), ping.lastWords());
                assertTrue(ping.rest().getFirst().contains("dev " + Namespaces.NETWORK.device()));
            }
        } catch (IOException e) {
            assertTrue(e.getMessage().startsWith("network namespaces: "), e.getMessage());
            assertTrue(e.getMessage().contains("; "), e.getMessage());
            return;
        }
        assertEquals(0, own());
    }

    private static List<String> route() {
        return List.of("ip", "route", "get", Namespaces.NETWORK.serverAddress());
    }

    private static long own() throws IOException {
        String own = "-" + ProcessHandle.current().pid() + "-";
        return Namespaces.present().stream().filter(name -> name.contains(own)).count();
    }

    @Test
    void shouldRemoveOnlyWhatEndedProcessesLeft() {
        assertTrue(Namespaces.isLeftover("verbena-bench-4194305-server"), "no process has such a number");
        assertFalse(
                Namespaces.isLeftover("verbena-bench-" + ProcessHandle.current().pid() + "-server"));
        assertFalse(Namespaces.isLeftover("verbena-bench-of-somebody"));
    }

    @Test
    void shouldPutTheNamespaceBeforeTheCommandOfASide() {
        List<String> words = Namespaces.NETWORK.command(true, List.of("program", "argument"));
        assertEquals(List.of("ip", "netns", "exec"), words.subList(0, 3));
        assertTrue(words.get(3).endsWith("-server"));
        assertEquals(List.of("program", "argument"), words.subList(4, words.size()));
        assertEquals(List.of("program"), Network.LOOPBACK.command(false, List.of("program")));
        assertFalse(Namespaces.NETWORK.isLoopback());
    }
}
