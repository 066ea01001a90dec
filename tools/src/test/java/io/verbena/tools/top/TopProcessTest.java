package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import io.verbena.tools.CommandRun;
import io.verbena.tools.program.ProgramProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Real processes, as `top` sees them.
@EnabledOnOs(OS.LINUX)
class TopProcessTest {
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String ADDRESS = "127.77.20.1";

    @TempDir
    private Path folder;

    private List<String> properties() {
        return List.of("verbena.soft.status.directory=" + folder.resolve("status"));
    }

    private ProgramProcess start(String... arguments) throws Exception {
        return ProgramProcess.startWith(properties(), arguments);
    }

    /// Clients find nobody before it listens.
    private ProgramProcess startServer() throws Exception {
        ProgramProcess server = start("ping", "--device", ADDRESS);
        server.awaitLine("listens");
        return server;
    }

    /// What `top --once --json` prints.
    private Map<?, ?> top(String... arguments) throws Exception {
        String[] all = Stream.concat(Stream.of("top", "--once", "--json", "--interval", "0.1"), Stream.of(arguments))
                .toArray(String[]::new);
        try (ProgramProcess top = start(all)) {
            assertEquals(0, top.await(), top.output());
            return (Map<?, ?>) Json.read(top.output());
        }
    }

    private Map<?, ?> awaitTop(Predicate<Map<?, ?>> expected, String... arguments) throws Exception {
        long end = System.nanoTime() + LONGEST_NS;
        Map<?, ?> seen = top(arguments);
        while (!expected.test(seen)) {
            assertTrue(System.nanoTime() < end, "never as expected: " + seen);
            seen = top(arguments);
        }
        return seen;
    }

    private static List<?> list(Map<?, ?> top, String name) {
        return (List<?>) top.get(name);
    }

    private static boolean hasConnections(Map<?, ?> top, int count) {
        return list(top, "connections").size() == count;
    }

    @Test
    void shouldSeeBothSidesOfAConnectionAndForgetAKilledOne() throws Exception {
        try (ProgramProcess server = startServer();
                ProgramProcess client = start("ping", ADDRESS, "-c", "1000000000")) {
            server.awaitLine("asks for");
            Map<?, ?> both = awaitTop(
                    top -> hasConnections(top, 2)
                            && list(top, "connections").stream()
                                    .allMatch(row ->
                                            ((Map<?, ?>) row).get("sentPerSecond") instanceof Double rate && rate > 0),
                    "--filter",
                    "rts");
            assertEquals(2, list(both, "processes").size());
            Map<?, ?> first = (Map<?, ?>) list(both, "connections").getFirst();
            assertEquals("RC", first.get("type"));
            assertEquals("verbena ping", first.get("program"));
            assertTrue(both.toString().contains("listening=[" + ADDRESS + ":12321]"), both.toString());
            client.kill();
            awaitTop(top -> list(top, "processes").size() == 1);
            // The kernel left its socket behind.
            try (Stream<Path> left = Files.list(folder.resolve("status"))) {
                assertEquals(1, left.count());
            }
            server.stop();
            server.await();
            assertEquals(List.of(), list(top(), "processes"));
        }
    }

    @Test
    void shouldPrintOnceWithoutATerminal() throws Exception {
        try (ProgramProcess server = start("ping", "--device", ADDRESS)) {
            awaitTop(top -> list(top, "processes").size() == 1
                    && !list((Map<?, ?>) list(top, "processes").getFirst(), "listening")
                            .isEmpty());
            try (ProgramProcess top = start("top", "--interval", "0.1")) {
                assertEquals(0, top.await(), top.output());
                assertTrue(top.output().contains("listens on " + ADDRESS + ":12321"), top.output());
                assertFalse(top.output().contains("\u001b"), top.output());
            }
            server.kill();
        }
    }

    @Test
    void shouldNotShowAProcessThatHidesItself() throws Exception {
        List<String> hidden = Stream.concat(properties().stream(), Stream.of("verbena.soft.status=off"))
                .toList();
        try (ProgramProcess server = ProgramProcess.startWith(hidden, "ping", "--device", ADDRESS)) {
            server.awaitLine("listens");
            assertEquals(List.of(), list(top(), "processes"));
        }
    }

    @Test
    void shouldWorkWithoutItsDirectory() throws Exception {
        Files.writeString(folder.resolve("status"), "not a directory");
        try (ProgramProcess server = startServer();
                ProgramProcess client = start("ping", ADDRESS, "-c", "10")) {
            assertEquals(0, client.await(), client.output());
            server.kill();
        }
        try (ProgramProcess top = start("top", "--once")) {
            assertEquals(1, top.await());
            assertTrue(top.output().contains("is not a directory; remove it"), top.output());
        }
    }

    @Test
    void shouldRefuseWrongUsage() {
        for (String[] arguments : new String[][] {
            {"--json"},
            {"--port", "80"},
            {"--web", "--once"},
            {"--interval", "0"},
            {"--sort", "nothing"},
            {"--web", "--port", "70000"}
        }) {
            assertEquals(2, CommandRun.of("top", arguments).exitCode(), String.join(" ", arguments));
        }
    }
}
