package io.verbena.tools.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.program.ProgramProcess;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two processes, as people run it.
@Timeout(120)
@Tag("slow")
class CopyProcessTest {
    /// A network on which 128 MiB take longer than any step of a test.
    private static final List<String> SLOWLY = List.of("verbena.soft.faults=delay=20ms..30ms");

    private final String address = LoopbackAddress.any();
    private final String own = LoopbackAddress.any();

    @TempDir
    private Path folder;

    private String longFile() throws Exception {
        Path path = folder.resolve("long");
        try (var file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(128 << 20);
        }
        return path.toString();
    }

    @Test
    void shouldCopyBetweenTwoProcessesUntilTheServerIsStopped() throws Exception {
        Path in = Files.writeString(folder.resolve("in"), "0123456789".repeat(100_000));
        Path out = folder.resolve("out");
        try (var server = ProgramProcess.start("copy", "--device", address, "--out", out.toString())) {
            server.awaitLine("server listens");
            try (var client = ProgramProcess.start("copy", address, "--file", in.toString(), "--device", own)) {
                assertEquals(0, client.await(), client::output);
            }
            server.awaitLine("saved in");
            server.stop();
            server.await();
            assertTrue(!server.output().contains("Exception"), server::output);
        }
        assertEquals(-1, Files.mismatch(in, out));
    }

    @Test
    void shouldEndSoonWhenTheServerIsKilled() throws Exception {
        try (var server = ProgramProcess.start("copy", "--device", address);
                var client = start(server)) {
            client.awaitLine("received: the server's buffer");
            server.kill();
            client.awaitLine("verbena: "); // a request failed: which one, depends on what was acknowledged before
            assertEquals(1, client.await());
        }
    }

    @Test
    void shouldNoticeAKilledClientAndServeTheNext() throws Exception {
        try (var server = ProgramProcess.start("copy", "--device", address);
                var client = start(server)) {
            client.awaitLine("received: the server's buffer");
            client.kill();
            server.awaitLine("copy: client "); // its last message, or the question whether it is alive, got no answer
            try (var next = ProgramProcess.start("copy", address, "next", "--device", LoopbackAddress.any())) {
                assertEquals(0, next.await(), next::output);
            }
            server.awaitLine("\"next\"");
        }
    }

    @Test
    void shouldTellHowFarItCameWhenStopped() throws Exception {
        try (var server = ProgramProcess.start("copy", "--device", address, "--verify");
                var client = start(server)) {
            client.awaitLine("received: the server's buffer");
            client.stop();
            client.awaitLine("bytes were written or read back before the end");
            client.await();
            server.awaitLine("client " + own);
        }
    }

    /// Starts a client and returns when it is copying.
    private ProgramProcess start(ProgramProcess server) throws Exception {
        server.awaitLine("server listens");
        return ProgramProcess.startWith(SLOWLY, "copy", address, "--file", longFile(), "--device", own);
    }
}
