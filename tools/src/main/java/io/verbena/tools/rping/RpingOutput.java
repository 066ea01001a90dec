package io.verbena.tools.rping;

import io.verbena.tools.program.ClientThreads;
import io.verbena.tools.program.ConnectNotice;
import io.verbena.tools.program.Output;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;

/// What is printed: the lines of the C program, or JSON.
final class RpingOutput {
    private final Output output;
    private final boolean verbose;
    private final boolean debug;

    RpingOutput(PrintWriter out, PrintWriter err, boolean verbose, boolean debug, boolean json) {
        this.output = new Output("rping", out, err, json);
        this.verbose = verbose;
        this.debug = debug;
    }

    /// A line of every run.
    void say(String line) {
        output.say(line);
    }

    /// Open while a client connects.
    ConnectNotice connecting(InetSocketAddress server, Duration patience) {
        return ConnectNotice.start(output, server, patience, RpingCommand.START_SERVER);
    }

    void listens(InetSocketAddress local) {
        output.listens(local);
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

    /// Threads for the clients of a persistent server. What is wrong with one of them is printed here.
    ClientThreads newClientThreads() {
        return new ClientThreads(output);
    }

    void result(PingResult result) {
        output.result(result.json());
    }
}
