package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A JVM that runs a class of the tests until it is told to end or killed.
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    /// The processes that it started, which may outlive it.
    private final List<ProcessHandle> children = new ArrayList<>();

    public ChildJvm(Class<?> main, String... arguments) throws IOException {
        this(List.of(), main, arguments);
    }

    /// @param before a command that runs the JVM, such as `unshare`
    public ChildJvm(List<String> before, Class<?> main, String... arguments) throws IOException {
        this(before, List.of(), main, arguments);
    }

    /// @param options of the JVM, which outweigh those that it gets anyway
    public ChildJvm(List<String> before, List<String> options, Class<?> main, String... arguments) throws IOException {
        String path = Stream.of(
                        System.getProperty("jdk.module.path"),
                        System.getProperty("java.class.path"),
                        Path.of("target", "test-classes").toString())
                .filter(part -> part != null && !part.isBlank())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                path));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    public String line() throws IOException {
        String line = output.readLine();
        assertNotNull(line, "the other process ended early; its errors are above");
        return line;
    }

    /// A line of its input.
    public void tell(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).write(line + "\n");
        process.outputWriter(StandardCharsets.UTF_8).flush();
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// Tells it to end and waits for it.
    public int end() throws IOException, InterruptedException {
        children.addAll(process.descendants().toList());
        process.getOutputStream().close();
        return exitCode();
    }

    /// Ends it with SIGKILL.
    public int kill() throws InterruptedException {
        children.addAll(process.descendants().toList());
        process.destroyForcibly();
        return exitCode();
    }

    private int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the other process does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        children.addAll(process.descendants().toList());
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
