package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// One run of the command line inside the test.
public record CommandRun(int exitCode, String out, String err) {
    public static CommandRun of(String command, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(arguments));
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        return new CommandRun(exitCode, out.toString(), err.toString()).withoutNotice();
    }

    /// The notice that a client waits for its server depends on how busy the machine is.
    public CommandRun withoutNotice() {
        String rest = err.lines()
                .filter(line -> !line.startsWith("verbena: no answer from "))
                .map(line -> line + System.lineSeparator())
                .collect(Collectors.joining());
        return new CommandRun(exitCode, out, rest);
    }

    /// It did what it should, and complained about nothing.
    public static void assertDone(CommandRun run) {
        assertEquals(0, run.exitCode, run.out + run.err);
        assertEquals("", run.err);
    }

    /// As [#assertDone(CommandRun)], and printed that.
    public static void assertDone(CommandRun run, String text) {
        assertDone(run);
        assertTrue(run.out.contains(text), run.out);
    }

    /// It failed with one line that contains the text.
    public static void assertFailed(CommandRun run, String text) {
        assertEquals(1, run.exitCode, run.out + run.err);
        assertEquals(1, run.err.lines().count(), run.err);
        assertTrue(run.err.contains(text), run.err);
    }

    public String lastLine() {
        return out.lines().reduce("", (before, line) -> line);
    }
}
