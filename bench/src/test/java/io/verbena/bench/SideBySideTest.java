package io.verbena.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.run.Goals;
import io.verbena.bench.side.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class SideBySideTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final List<String> TINY = List.of("--quick", "--rounds", "1", "--only", "^cache line: ");

    @TempDir
    private Path folder;

    private static Child command(List<String> arguments) throws Exception {
        return Child.java("bench", List.of(), SideBySide.class, arguments);
    }

    private static int code(String... arguments) throws Exception {
        try (Child child = command(List.of(arguments))) {
            return child.awaitEnd(LONG);
        }
    }

    @Test
    void shouldExplainItself() throws Exception {
        assertEquals(0, code("--help"));
        assertEquals(0, code("--list"));
    }

    @Test
    void shouldRefuseWrongUsage() throws Exception {
        try (Child child = command(List.of("--no-such-option"))) {
            assertEquals(2, child.awaitEnd(LONG));
            assertEquals(
                    ": verbena: Unknown option: '--no-such-option' | Try './verbena bench --help'.", child.lastWords());
        }
        assertEquals(2, code("--rounds", "0"));
        assertEquals(2, code("--only", "nothing is called like this"));
        try (Child child = command(List.of("--only", "("))) {
            assertEquals(2, child.awaitEnd(LONG));
            assertTrue(child.lastWords().contains("'(' is no regular expression: unclosed group"), child.lastWords());
        }
        assertEquals(2, code("--json", folder.resolve("no/such/folder.json").toString()));
    }

    @Test
    void shouldListOnlyWhatIsAskedFor() throws Exception {
        try (Child child = command(List.of("--list", "--only", "fetch-add, shared"))) {
            assertEquals(0, child.awaitEnd(LONG));
            assertEquals(
                    List.of(
                            "Contestants:",
                            "  verbena shared memory",
                            "  cache line",
                            "Goals:",
                            "  8 B fetch-add, shared memory, against cache-line round trip: ≤ 1.3",
                            "Measurements for the goals:",
                            "  verbena shared memory: 8 B fetch-add round trip",
                            "  cache line: 8 B cache-line round trip",
                            "Other measurements:"),
                    child.rest());
        }
    }

    @Test
    void shouldRunAndWriteItsFiles() throws Exception {
        Path json = folder.resolve("goals.json");
        Path page = folder.resolve("page.html");
        List<String> arguments = new ArrayList<>(TINY);
        arguments.addAll(List.of("--json", json.toString(), "--plot", page.toString()));
        try (Child child = command(arguments)) {
            assertEquals(0, child.awaitEnd(LONG), child.lastWords());
            String end = "no goal measured, " + Goals.ALL.size() + " left out";
            assertTrue(child.rest().contains(end), end);
        }
        assertTrue(Files.readString(json).startsWith("["));
        assertTrue(Files.size(folder.resolve("goals.json.all.json")) > 0);
        assertTrue(Files.readString(page).contains("</html>"));
    }

    @Test
    void shouldLeaveNoProcessBehindWhenItIsTerminated() throws Exception {
        List<String> arguments = new ArrayList<>(TINY);
        arguments.set(2, "1000000");
        try (Child child = command(arguments)) {
            ProcessHandle bench = ProcessHandle.of(child.pid()).orElseThrow();
            List<ProcessHandle> workers = workersOf(bench);
            // Not as Ctrl-C does it: where these tests run in the background, programs inherit that it is ignored.
            bench.destroy();
            bench.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
            for (ProcessHandle worker : workers) {
                worker.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    /// And when it is killed without a chance to tidy up: workers notice that nobody talks to them any more.
    @Test
    void shouldLeaveNoProcessBehindWhenItIsKilled() throws Exception {
        List<String> arguments = new ArrayList<>(TINY);
        arguments.set(2, "1000000");
        try (Child child = command(arguments)) {
            ProcessHandle bench = ProcessHandle.of(child.pid()).orElseThrow();
            List<ProcessHandle> workers = workersOf(bench);
            bench.destroyForcibly();
            for (ProcessHandle worker : workers) {
                worker.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
                assertEquals(List.of(), sharedBy(worker));
            }
        }
    }

    /// Files that a worker of the cache line made.
    private static List<Path> sharedBy(ProcessHandle worker) throws IOException {
        Path folder = Path.of("/dev/shm");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("verbena-bench-" + worker.pid() + "-"))
                    .toList();
        }
    }

    private static List<ProcessHandle> workersOf(ProcessHandle bench) throws InterruptedException {
        long end = System.nanoTime() + LONG.toNanos();
        while (System.nanoTime() - end < 0) {
            List<ProcessHandle> workers = bench.descendants().toList();
            if (workers.size() >= 2) {
                return workers;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        throw new AssertionError("it started no workers");
    }
}
