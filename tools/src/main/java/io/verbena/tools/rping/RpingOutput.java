package io.verbena.tools.rping;

import io.verbena.tools.program.ClientThreads;
import io.verbena.tools.program.ConnectNotice;
import io.verbena.tools.program.Output;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;

/// The output: the lines of the C program, or JSON.
final class RpingOutput {
    private final Output output;
    private final boolean verbose;
    private final boolean debug;

    RpingOutput(PrintWriter out, PrintWriter err, boolean verbose, boolean debug, boolean json) {
        this.output = new Output("rping", out, err, json);
        this.verbose = verbose;
        this.debug = debug;
    }

    /// Prints a line in every run.
    void say(String line) {
        output.say(line);
    }

    /// Starts a notice, which is to be closed when the client is connected.
    ConnectNotice connecting(InetSocketAddress server, Duration patience) {
        return ConnectNotice.start(output, server, patience, RpingCommand.START_SERVER);
    }

    void listens(InetSocketAddress local) {
        output.listens(local);
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
            say(String.format(Locale.ROOT, format, values));
        }
    }

    /// Creates the threads for the clients of a persistent server. Their errors are printed here.
    ClientThreads newClientThreads() {
        return new ClientThreads(output);
    }

    void result(RpingResult result) {
        output.result(result.json());
    }
}
