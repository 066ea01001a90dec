package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.demo.JvmCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A command in a process of its own, as people run it. Its two outputs are merged. It is killed when closed, and after
/// a while in any case, because a test that reads its output cannot be interrupted.
public final class ProgramProcess implements AutoCloseable {
    private static final int LONGEST_SECONDS = 100;

    private final Process process;
    private final StringBuilder all = new StringBuilder();

    private ProgramProcess(Process process) {
        this.process = process;
        process.onExit()
                .completeOnTimeout(process, LONGEST_SECONDS, TimeUnit.SECONDS)
                .thenRun(this::kill);
    }

    public static ProgramProcess start(String... arguments) throws IOException {
        return startWith(List.of(), arguments);
    }

    /// With system properties, each as `name=value`.
    public static ProgramProcess startWith(List<String> properties, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JvmCommand.build(properties));
        command.addAll(List.of(arguments));
        return new ProgramProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /// Reads until a line with that text, and returns the line.
    public String awaitLine(String text) throws IOException {
        var reader = process.inputReader();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            all.append(line).append('\n');
            if (line.contains(text)) {
                return line;
            }
        }
        throw new AssertionError("no '" + text + "' in " + all);
    }

    /// As Ctrl-C does.
    public void stop() {
        process.toHandle().destroy(); // unlike Process.destroy, leaves its output to be read
    }

    public void kill() {
        process.toHandle().destroyForcibly();
    }

    /// Reads the rest, waits for the end and returns the exit code.
    public int await() throws IOException, InterruptedException {
        process.inputReader().lines().forEach(line -> all.append(line).append('\n'));
        assertTrue(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS), () -> "runs on: " + all);
        return process.exitValue();
    }

    /// The output that was read so far.
    public String output() {
        return all.toString();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
