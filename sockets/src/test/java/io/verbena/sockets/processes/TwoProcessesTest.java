package io.verbena.sockets.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Two processes stream to each other, both at once, with writes and reads of all sizes.
class TwoProcessesTest {
    private static final long MIB = 1024 * 1024;
    private static final long LONGEST_SECONDS = 240;

    @Test
    void shouldBringEveryByteThroughSharedMemory() throws Exception {
        stream("shared", 256 * MIB);
    }

    @Test
    void shouldBringEveryByteOverUdp() throws Exception {
        stream("udp", 24 * MIB);
    }

    private static void stream(String path, long bytes) throws Exception {
        String seed = Long.toString(ThreadLocalRandom.current().nextInt());
        Process server = start(path, "server", Long.toString(bytes), seed);
        try {
            String port = server.inputReader(StandardCharsets.UTF_8).readLine();
            assertNotNull(port, "the server ended early; its errors are above");
            Process client = start(path, port, Long.toString(bytes), seed);
            try {
                requireGoodEnd("the client", client, seed);
                requireGoodEnd("the server", server, seed);
            } finally {
                client.destroyForcibly();
            }
        } finally {
            server.destroyForcibly();
        }
    }

    private static Process start(String path, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dverbena.soft.path=" + path,
                "-cp",
                System.getProperty("java.class.path"),
                StreamProcess.class.getName());
        builder.command().addAll(List.of(arguments));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static void requireGoodEnd(String who, Process process, String seed) throws InterruptedException {
        assertTrue(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS), who + " does not end, seed " + seed);
        assertEquals(0, process.exitValue(), who + " failed, its errors are above, seed " + seed);
    }
}
