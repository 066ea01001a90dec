package io.verbena.sockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A program in a JVM with the agent.
class AgentProcessTest {
    private static final long LONGEST_SECONDS = 60;

    @TempDir
    private Path folder;

    @Test
    void shouldLetShutdownHooksUseTheirConnections() throws Exception {
        List<String> lines = run("=report,rules=rdma", HookProgram.class);
        assertTrue(lines.contains("the hook got 42 back"), lines.toString());
        String last = lines.getLast();
        assertTrue(last.startsWith("verbena-sockets: RDMA 2 connections, 2 bytes read, 2 written"), last);
    }

    @Test
    void shouldSayWhichSettingTurnsANativeTransportOff() throws Exception {
        List<String> lines = run("=report", EpollProgram.class);
        String setting = "-Dio.netty.transport.noNative=true turns it off";
        assertTrue(
                lines.stream().anyMatch(line -> line.contains("WARNING") && line.contains(setting)), lines.toString());
        assertTrue(
                lines.getLast().contains("fallbacks: 1 x ") && lines.getLast().contains(setting), lines.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "=reprot | there is no argument 'reprot'; there are [report, spin, rules]",
                "=rules=rmda *:22 | rmda"
            })
    void shouldRefuseWrongArgumentsAtOnce(String arguments, String expected) throws Exception {
        List<String> lines = run(arguments, HookProgram.class, 2);
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(
                lines.getFirst().startsWith("verbena-sockets: ")
                        && lines.getFirst().contains(expected),
                lines.toString());
    }

    @Test
    void shouldReportForAProgramWithoutChannelsToo() throws Exception {
        List<String> lines = run("=report", PlainSocketProgram.class);
        assertTrue(lines.contains("got 42 back"), lines.toString());
        assertTrue(lines.getLast().contains("java.net.Socket is not a channel"), lines.toString());
    }

    @Test
    void shouldCountNoConnectionForAServerThatIsNotThere() throws Exception {
        List<String> lines = run("=report,rules=tcp", RefusedProgram.class);
        assertTrue(lines.contains("refused"), lines.toString());
        assertTrue(lines.getLast().contains("TCP 0 connections"), lines.toString());
        assertFalse(lines.getLast().contains("java.net.Socket"), lines.toString());
    }

    private List<String> run(String arguments, Class<?> program) throws Exception {
        return run(arguments, program, 0);
    }

    private List<String> run(String arguments, Class<?> program, int code) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-javaagent:" + agent() + arguments,
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectErrorStream(true)
                .start();
        try {
            var output = CompletableFuture.supplyAsync(
                    () -> process.inputReader(StandardCharsets.UTF_8).lines().toList());
            List<String> lines = output.get(LONGEST_SECONDS, TimeUnit.SECONDS);
            assertTrue(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS), lines.toString());
            assertEquals(code, process.exitValue(), lines.toString());
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }

    /// A jar with a manifest alone: its classes are on the class path. The real one is built after the tests.
    private Path agent() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", SocketsAgent.class.getName());
        Path jar = folder.resolve("agent.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.finish();
        }
        return jar;
    }
}
