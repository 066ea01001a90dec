package io.verbena.tools.rping;

import io.verbena.tools.program.Output;
import java.lang.foreign.MemorySegment;

/// The output: the lines of the C program, or JSON.
final class RpingOutput extends Output {
    private final RpingOptions options;

    RpingOutput(RpingOptions options) {
        super("rping", options.usage.out(), options.usage.err(), options.json);
        this.options = options;
    }

    /// Prints the text of a ping, with `-v`. Without it no string is made.
    void data(String what, MemorySegment text) {
        if (options.verbose) {
            say(what + PingText.read(text));
        }
    }

    /// Prints a line of `-d`.
    void debug(String line) {
        if (options.debug) {
            say(line);
        }
    }

    /// Prints a formatted line of `-d`.
    void debug(String format, Object... values) {
        if (options.debug) {
            say(format, values);
        }
    }
}
