package io.verbena.tools.rping;

import io.verbena.tools.program.Output;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;

/// The output: the lines of the C program, or JSON.
final class RpingOutput extends Output {
    private final boolean verbose;
    private final boolean debug;

    RpingOutput(PrintWriter out, PrintWriter err, boolean verbose, boolean debug, boolean json) {
        super("rping", out, err, json);
        this.verbose = verbose;
        this.debug = debug;
    }

    /// Prints the text of a ping, with `-v`. Without it no string is made.
    void data(String what, MemorySegment text) {
        if (verbose) {
            say(what + PingText.read(text));
        }
    }

    /// Prints a line of `-d`.
    void debug(String line) {
        if (debug) {
            say(line);
        }
    }

    /// Prints a formatted line of `-d`.
    void debug(String format, Object... values) {
        if (debug) {
            say(format, values);
        }
    }
}
