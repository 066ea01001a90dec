package io.verbena.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    void shouldFindProgramsAsAShellDoes() {
        assertEquals(Optional.of(Path.of("/bin/sh")), Programs.find("sh", "/nowhere::/bin"));
        assertEquals(Optional.of(Path.of("/bin/sh")), Programs.find("/bin/sh", ""));
        assertEquals(Optional.empty(), Programs.find("sh", ""));
        assertEquals(Optional.empty(), Programs.find("/etc/passwd", "/bin"), "not a program");
    }

    @Test
    void shouldSayHowToGetAPeerThatIsNotThere() {
        for (Contestant peer :
                List.of(Ucx.posix("/no/such/ucx_perftest"), Ucx.tcp("/no/such/ucx_perftest", Network.LOOPBACK))) {
            String why = peer.missing().orElseThrow();
            assertTrue(why.contains("/no/such/ucx_perftest") && why.contains("apt install ucx-utils"), why);
        }
    }

    @Test
    void shouldFindAVersionInWhatAProgramPrints() {
        assertEquals("1.13.1", Programs.version(List.of("/bin/sh", "-c", "echo \"# Version 1.13.1\"; echo 2.0")));
        assertEquals("", Programs.version(List.of("/no/such/program")));
        assertEquals("ucx_info", Ucx.versionProgram("ucx_perftest"));
        assertEquals("/opt/ucx/bin/ucx_info", Ucx.versionProgram("/opt/ucx/bin/ucx_perftest"));
    }

    @Test
    void shouldNameEachPeerOnceWithARemark() {
        List<Contestant> peers = PeerLibraries.all(Settings.DEFAULT);
        assertEquals(
                peers.size(), peers.stream().map(Contestant::name).distinct().count());
        assertTrue(peers.stream().noneMatch(peer -> peer.remark().isEmpty()));
    }

    @Test
    void shouldSeeWhoListensWithoutConnecting() throws Exception {
        int port = Ports.free();
        assertFalse(Ports.awaitListener(port, Duration.ZERO));
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertTrue(Ports.awaitListener(socket.getLocalPort(), LIMIT));
        }
        assertTrue(Ports.isListener("   1: 00000000:4624 00000000:0000 0A 00000000:00000000 00:0", 0x4624));
        assertFalse(Ports.isListener("   1: 00000000:4624 00000000:0000 01 00000000:00000000 00:0", 0x4624));
    }

    @Test
    void shouldTellWhyAClientFailed() throws Exception {
        int port = Ports.free();
        try (ServerSocket listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                ProgramPair pair = new ProgramPair("a pair", Map.of("WORD", "broken"), Network.LOOPBACK)) {
            List<String> server = List.of("/bin/sh", "-c", "exit 0");
            List<String> client = List.of("/bin/sh", "-c", "echo $WORD >&2; exit 3");
            String message = assertThrows(
                            IOException.class, () -> pair.run(server, client, listener.getLocalPort(), LIMIT))
                    .getMessage();
            assertTrue(message.contains("a pair client ended with code 3: broken"), message);
        }
    }

    @Test
    void shouldEndBothWhenTheClientTakesTooLong() throws Exception {
        int port = Ports.free();
        try (ServerSocket listener = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                ProgramPair pair = new ProgramPair("a pair", Map.of(), Network.LOOPBACK)) {
            List<String> forever = List.of("/bin/sh", "-c", "exec sleep 61");
            Duration soon = Duration.ofMillis(50);
            assertThrows(IOException.class, () -> pair.run(forever, forever, listener.getLocalPort(), soon));
        }
        assertTrue(ProcessHandle.current().children().noneMatch(ProgramsTest::sleeps), "no process is left");
    }

    @Test
    void shouldRemoveTheSegmentsOfAKilledProcess() throws Exception {
        assumeTrue(Files.isWritable(Segments.FOLDER), "there is no " + Segments.FOLDER + " to write to");
        Process process = new ProcessBuilder("/bin/sh", "-c", "exec sleep 61").start();
        Path segment = Segments.FOLDER.resolve(process.pid() + ":0:0");
        Path other = Segments.FOLDER.resolve(process.pid() + "0:0:0");
        try {
            Files.writeString(segment, "left behind");
            Files.writeString(other, "of another process");
            List<Long> processes = Segments.processes(process.pid());
            process.destroyForcibly();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            processes.forEach(Segments::remove);
            assertFalse(Files.exists(segment));
            assertTrue(Files.exists(other));
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(segment);
            Files.deleteIfExists(other);
        }
    }

    private static boolean sleeps(ProcessHandle process) {
        return process.isAlive() && process.info().commandLine().orElse("").contains("sleep 61");
    }

    @Test
    void shouldCountTheTimeOfProcessesThatEnded() throws Exception {
        double before = ChildrenCpu.nanoseconds();
        Process process =
                new ProcessBuilder("/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done").start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertTrue(ChildrenCpu.nanoseconds() - before > 1e6);
    }
}
