package io.verbena.tools.rping;

import io.verbena.tools.text.Json;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// What is printed: the lines of the C program, or JSON.
final class RpingOutput {
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean verbose;
    private final boolean debug;
    private final boolean json;

    RpingOutput(PrintWriter out, PrintWriter err, boolean verbose, boolean debug, boolean json) {
        this.out = out;
        this.err = err;
        this.verbose = verbose;
        this.debug = debug;
        this.json = json;
    }

    /// A line of every run.
    synchronized void say(String line) {
        if (!json) {
            print(out, line);
        }
    }

    /// The text of a ping, with `-v`; without, no string is made of it.
    void data(String what, MemorySegment text) {
        if (verbose) {
            say(what + PingText.read(text));
        }
    }

    /// A line of `-d`.
    void debug(String line) {
        if (debug) {
            say(line);
        }
    }

    /// A line of `-d` with values in it.
    void debug(String format, Object... values) {
        if (debug) {
            say(String.format(Locale.ROOT, format, values));
        }
    }

    /// One client's trouble, which does not end a persistent server.
    synchronized void trouble(String line) {
        print(err, "rping: " + line);
    }

    synchronized void result(PingResult result) {
        if (json) {
            print(out, Json.write(result.json()));
        }
    }

    private static void print(PrintWriter writer, String line) {
        writer.println(line);
        writer.flush(); // a pipe's reader sees it at once
    }
}
