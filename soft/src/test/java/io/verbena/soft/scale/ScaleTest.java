package io.verbena.soft.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.net.Loopback;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A thousand connections between two processes.
class ScaleTest {
    private static final int COUNT = 1000;
    private static final long MOST_BYTES_IDLE = 16 * 1024;

    private static Process start(InetAddress own, InetAddress peer) throws IOException {
        String path = Stream.of(
                        System.getProperty("jdk.module.path"),
                        System.getProperty("java.class.path"),
                        Path.of("target", "test-classes").toString())
                .filter(part -> part != null && !part.isBlank())
                .collect(Collectors.joining(File.pathSeparator));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms128m",
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:+AlwaysPreTouch",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        path,
                        ScalePeer.class.getName(),
                        own.getHostAddress(),
                        peer.getHostAddress(),
                        Integer.toString(COUNT))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String line(BufferedReader from) throws IOException {
        String line = from.readLine();
        assertTrue(line != null, "the other process ended early; its errors are above");
        return line;
    }

    @Test
    void shouldExchangeMessagesOverAThousandQueuePairsOfTwoProcesses() throws Exception {
        InetAddress here = Loopback.next();
        InetAddress there = Loopback.next();
        Process process = start(there, here);
        try (ManyQueuePairs all = new ManyQueuePairs(here, COUNT);
                BufferedReader from = new BufferedReader(new InputStreamReader(process.getInputStream()));
                PrintStream to = new PrintStream(process.getOutputStream(), true)) {
            all.create(COUNT);
            all.connect(there, line(from));
            all.postReceives();
            to.println(all.numbers());
            assertEquals("ready", line(from));
            for (int i = 0; i < COUNT; i++) {
                all.send(i, ScalePeer.QUESTION);
            }
            all.exchange(ScalePeer.ANSWER, 0);
            long[] bytes =
                    Stream.of(line(from).split(" ")).mapToLong(Long::parseLong).toArray();
            to.println("thanks");
            System.out.printf(
                    "%d queue pairs: idle %d bytes of heap and %d native each; after one message each way %d and %d%n",
                    COUNT, bytes[0], bytes[1], bytes[2], bytes[3]);
            assertTrue(
                    LongStream.of(bytes).limit(2).sum() < MOST_BYTES_IDLE,
                    () -> "an idle queue pair takes up %d + %d bytes".formatted(bytes[0], bytes[1]));
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
            assertEquals(0, process.exitValue());
        } finally {
            process.destroyForcibly();
        }
    }
}
