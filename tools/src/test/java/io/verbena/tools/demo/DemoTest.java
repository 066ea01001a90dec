package io.verbena.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.verbs.Rdma;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The demo with real processes, small. Numbers are printed, never judged: what a machine under test load
/// measures says nothing.
@Timeout(60)
@Tag("slow")
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
        assertTrue(run.out().contains("its program takes no part"), "what a step is for");
        assertTrue(run.out().lines().allMatch(line -> line.length() <= 120), "lines for a wide terminal");
        assertTrue(run.lastLine().startsWith("verified"), run.lastLine());
        assertEquals("", run.err());
    }

    @Test
    void shouldMeasureBesidePlainSockets() {
        var run = CommandRun.of("demo", "--quick", "--measure-only", "--json", "--path=udp", "--size=1m", "--count=24");
        System.out.println(run.out());
        assertEquals(0, run.exitCode(), run.err());
        for (String name : List.of(
                "\"verified\": true",
                "\"path\": \"UDP\"",
                "\"verbenaUs\"",
                "\"plainTcpUs\"",
                "\"plainDatagramsGBps\"",
                "\"ratio\"")) {
            assertTrue(run.out().contains(name), name);
        }
    }

    @Test
    void shouldRunOnTheDeviceOfAnAddress() {
        String address = LoopbackAddress.any();
        var run = CommandRun.of("demo", "--quick", "--size=64k", "--count=3", "--device", address);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().contains("listens on " + address), run.out());
    }

    @Test
    void shouldSayWhyThereIsNoAdapterToRunOn() {
        assumeTrue(
                Rdma.providers().stream()
                        .filter(provider -> provider.name().equals("rdmacore"))
                        .allMatch(provider -> provider.devices().isEmpty()),
                "this machine has an adapter");
        var run = CommandRun.of("demo", "--device", "native");
        assertEquals(1, run.exitCode(), run.out());
        assertEquals("", run.out());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void shouldWriteATraceOfTheExchange(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("demo.pcap");
        var run = CommandRun.of("demo", "--quick", "--size=64k", "--count=3", "--trace=" + file);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(Files.size(file) > 10_000, "the exchange alone writes and reads 10 000 bytes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--size=x",
                "--size=0",
                "--count=0",
                "--count=many",
                "--device=nowhere",
                "--provider=nobody",
                "--size=4g",
                "--nonsense"
            })
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
        try (var demo = RunningDemo.start("--size=1m", "--count=1700")) {
            demo.readUntil("bytes arrived as expected"); // then the long part begins
            assertTrue(demo.child(victim).destroyForcibly());
            long start = System.nanoTime();
            assertEquals(1, demo.awaitExit());
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10));
            String error = demo.lastLine();
            assertTrue(error.matches("verbena: step '.+' failed: .*" + victim + ".*"), error);
            assertFalse(demo.output().contains("verified:"), demo.output());
            demo.awaitNoChildren();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveNoChildrenBehindWhenItIsEnded(boolean forcibly) throws Exception {
        try (var demo = RunningDemo.start("--size=1m", "--count=1700")) {
            demo.readUntil("bytes arrived as expected");
            demo.end(forcibly);
            demo.awaitNoChildren();
        }
    }
}
