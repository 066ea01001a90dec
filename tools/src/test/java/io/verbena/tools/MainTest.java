package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsHelpWithoutSubcommand() {
        assertEquals(Main.DONE, run());
        assertTrue(out.toString().startsWith("Usage: verbena"), out.toString());
    }

    @Test
    void printsTheVersionOfTheBuild() {
        assertEquals(Main.DONE, run("--version"));
        assertTrue(out.toString().matches("(?s)verbena \\d+\\.\\d+.*"), out.toString());
    }

    @Test
    void answersWrongUsageWithTwoLines() {
        assertEquals(Main.WRONG_USAGE, run("--no-such-option"));
        assertEquals(2, err.toString().lines().count(), err.toString());
    }

    @Test
    void tellsWrongValuesInPlainWords() {
        run("ping", "--timeout", "abc");
        assertTrue(err.toString().contains("'abc' is not a whole number"), err.toString());
        run("devices", "a", "b");
        assertTrue(err.toString().contains("unexpected argument: 'b'"), err.toString());
    }

    @Test
    void reportsAFailureInOneLine() {
        assertEquals(Main.FAILED, run("fail"));
        assertEquals("verbena: no device; plug one in", err.toString().strip());
    }

    @Test
    void showsTheStackTraceWhenAsked() {
        assertEquals(Main.FAILED, run("--stacktrace", "fail"));
        assertTrue(err.toString().contains("IllegalStateException"), err.toString());
    }

    private int run(String... args) {
        return Main.commandLine()
                .addSubcommand("fail", new Failing())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Command(name = "fail")
    private static final class Failing implements Runnable {
        @Override
        public void run() {
            throw new IllegalStateException("no device\n  plug one in");
        }
    }
}
