package io.verbena.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.CommandRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The demo with real processes, small. Numbers are printed, never judged: what a machine under test load measures says
/// nothing.
@Timeout(60)
class DemoTest {
    private static final String[] SMALL = {"--quick", "--size=64k", "--count=30"};

    @Test
    void shouldShowEveryStepAndVerifyEveryByte() {
        var run = CommandRun.of("demo", SMALL);
        System.out.println(run.out());
        assertEquals(0, run.exitCode(), run.err());
        for (String step : List.of("post RDMA WRITE", "completed RDMA WRITE", "completed RDMA READ", "DISCONNECTED")) {
            assertTrue(run.out().contains(step), step);
        }
        assertTrue(run.lastLine().startsWith("verified"), run.lastLine());
        assertEquals("", run.err());
    }

    @Test
    void shouldMeasureBesidePlainSockets() {
        var run = CommandRun.of("demo", "--quick", "--measure-only", "--json", "--size=1m", "--count=24");
        System.out.println(run.out());
        assertEquals(0, run.exitCode(), run.err());
        for (String name : List.of("\"verified\": true", "\"verbenaUs\"", "\"plainTcpUs\"", "\"plainDatagramsGBps\"", "\"ratio\"")) {
            assertTrue(run.out().contains(name), name);
        }
    }

    @Test
    void shouldWriteATraceOfTheExchange(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("demo.pcap");
        var run = CommandRun.of("demo", "--quick", "--size=64k", "--count=3", "--trace=" + file);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(Files.size(file) > 10_000, "the exchange alone writes and reads 10 000 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--size=x", "--size=0", "--count=0", "--count=many", "--device=nowhere", "--size=4g", "--nonsense"})
    void shouldAnswerWrongOptionsBriefly(String option) {
        var run = CommandRun.of("demo", option);
        assertEquals(2, run.exitCode());
        assertEquals("", run.out());
        assertTrue(run.err().startsWith("verbena: "), run.err());
        assertEquals(2, run.err().lines().count(), run.err()); // what is wrong, and where the help is
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "client"})
    void shouldEndSoonWhenAProcessDies(String victim) throws Exception {
        var run = CompletableFuture.supplyAsync(() -> CommandRun.of("demo", "--size=1m", "--count=1700"));
        await(() -> child(victim) != null || run.isDone());
        Thread.sleep(1500); // into the measurements; whatever the step, the end must be the same
        assertTrue(child(victim).destroyForcibly());
        var ended = run.get(15, TimeUnit.SECONDS);
        assertEquals(1, ended.exitCode());
        assertEquals(1, ended.err().lines().count(), ended.err());
        assertTrue(ended.err().matches("(?s)verbena: step '.+' failed: .*" + victim + ".*"), ended.err());
        assertFalse(ended.out().contains("verified:"), ended.out());
        await(() -> children().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveNoChildrenBehindWhenItIsEnded(boolean forcibly) throws Exception {
        List<String> command = new ArrayList<>(JvmCommand.build(List.of()));
        command.addAll(List.of("demo", "--size=1m", "--count=1700"));
        Process demo = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<ProcessHandle> children = new ArrayList<>();
        try (BufferedReader out = demo.inputReader()) {
            while (out.readLine() instanceof String line && !line.contains("ESTABLISHED")) {
                assertFalse(line.startsWith("verbena:"), line);
            }
            demo.children().forEach(children::add);
            assertEquals(2, children.size());
            if (!forcibly) {
                demo.destroy(); // as Ctrl-C does
            }
        } finally {
            if (forcibly) {
                demo.destroyForcibly();
            }
        }
        await(() -> !demo.isAlive());
        await(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static ProcessHandle child(String role) {
        return children().stream()
                .filter(p -> Stream.of(p.info().arguments().orElse(new String[0])).anyMatch(role::equals))
                .findFirst()
                .orElse(null);
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .children()
                .filter(p -> Stream.of(p.info().arguments().orElse(new String[0])).anyMatch("demo-peer"::equals))
                .toList();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10), "waited in vain");
            Thread.sleep(10);
        }
    }
}
