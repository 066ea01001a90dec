package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.tools.demo.JvmCommand;
import io.verbena.tools.text.StandardOutput;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Output that cannot be written must not look like success.
@Timeout(60)
class FullOutputTest {
    private static final File FULL = new File("/dev/full");
    private static final String REASON = "No space left on device";

    private static final class FullWriter extends Writer {
        private final String reason;

        FullWriter(String reason) {
            this.reason = reason;
        }

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            throw new IOException(reason);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static CommandRun run(String words, String reason) {
        StringWriter err = new StringWriter();
        int code = Main.commandLine()
                .setOut(StandardOutput.on(new FullWriter(reason)))
                .setErr(new PrintWriter(err, true))
                .execute(words.split(" "));
        return new CommandRun(code, "", err.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "devices",
                "devices --json",
                "devices no-such --json",
                "doctor --json",
                "completion",
                "--help",
                "ping --help",
                "rping -c -a 127.77.0.1 --timeout 1 --json",
                "perf send-lat --json - 127.77.0.1 --timeout 1",
                "ping --no-such --json",
            })
    void shouldFailWithTheCauseWhenTheOutputIsFull(String words) {
        CommandRun run = run(words, REASON);
        assertTrue(run.exitCode() != 0, run.err());
        assertTrue(run.err().contains("cannot write to standard output: " + REASON), run.err());
    }

    @Test
    void shouldFailQuietlyWhenTheReaderLeft() {
        CommandRun run = run("completion", "Broken pipe");
        assertEquals(1, run.exitCode());
        assertEquals("", run.err());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "perf send-lat --json /dev/full 127.77.0.1 --timeout 1",
                "rping -c -a 127.77.0.1 --timeout 1 --trace-file /dev/full",
            })
    void shouldNameTheFileThatIsFull(String words) {
        assumeTrue(FULL.exists(), "there is no /dev/full");
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        CommandRun run = CommandRun.of(all.removeFirst(), all.toArray(String[]::new));
        assertEquals(1, run.exitCode(), run.err());
        assertTrue(run.err().contains("cannot write"), run.err());
        assertTrue(run.err().contains("/dev/full: " + REASON), run.err());
        assertTrue(FULL.exists(), "it is not for us to delete");
    }

    private static Process start(ProcessBuilder.Redirect output, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JvmCommand.build(List.of()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectOutput(output).start();
    }

    private static int await(Process process) throws InterruptedException {
        assertTrue(process.waitFor(50, TimeUnit.SECONDS));
        return process.exitValue();
    }

    @Test
    void shouldFailInAProcessOfItsOwn() throws Exception {
        assumeTrue(FULL.exists(), "there is no /dev/full");
        Process process = start(ProcessBuilder.Redirect.to(FULL), "completion");
        String err = new String(process.getErrorStream().readAllBytes());
        assertEquals(1, await(process), err);
        assertEquals("verbena: cannot write to standard output: " + REASON, err.strip());
    }

    @Test
    void shouldEndQuietlyWhenTheReaderOfAPipeLeft() throws Exception {
        Process process = start(ProcessBuilder.Redirect.PIPE, "completion");
        process.getInputStream().close();
        assertEquals("", new String(process.getErrorStream().readAllBytes()));
        assertEquals(1, await(process));
    }
}
