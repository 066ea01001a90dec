package io.verbena.soft.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A process that runs [ScalePeer], with a heap that is fully allocated at the start.
final class ScaleProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader from;

    ScaleProcess(InetAddress own, InetAddress peer, int count, int heapMegabytes) throws IOException {
        String path = Stream.of(
                        System.getProperty("jdk.module.path"),
                        System.getProperty("java.class.path"),
                        Path.of("target", "test-classes").toString())
                .filter(part -> part != null && !part.isBlank())
                .collect(Collectors.joining(File.pathSeparator));
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms" + heapMegabytes + "m",
                        "-Xmx" + heapMegabytes + "m",
                        "-XX:+UseSerialGC",
                        "-XX:+AlwaysPreTouch",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        path,
                        ScalePeer.class.getName(),
                        own.getHostAddress(),
                        peer.getHostAddress(),
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        from = process.inputReader(StandardCharsets.UTF_8);
    }

    String line() throws IOException {
        String line = from.readLine();
        assertTrue(line != null, "the other process ended early; its errors are above");
        return line;
    }

    void tell(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).write(line + "\n");
        process.outputWriter(StandardCharsets.UTF_8).flush();
    }

    void awaitEnd() throws InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
