package io.verbena.tools.program;

import io.verbena.tools.text.StopSignal;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `--help`, what a command says about wrong usage (exit code 2), and where it writes.
public final class Usage {
    private static final int MOST_PORT = 65535;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    public PrintWriter err() {
        return command.commandLine().getErr();
    }

    public ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    public void require(boolean good, String otherwise) {
        if (!good) {
            throw wrong(otherwise);
        }
    }

    /// A server may take any free port, by the number 0.
    public void requirePort(int port, boolean server) {
        require(
                port >= (server ? 0 : 1) && port <= MOST_PORT,
                "Invalid port " + port + " (valid range is 1 to " + MOST_PORT + ")");
    }

    public boolean isGiven(String option) {
        return command.commandLine().getParseResult().hasMatchedOption(option);
    }

    /// The address of a host.
    ///
    /// @param option what to put in front of the error: the option with a colon and a space, or nothing
    public InetAddress resolve(String option, String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new ParameterException(command.commandLine(), option + "unknown host '" + host + "'", e);
        }
    }

    /// Runs a program's body. Ctrl-C interrupts its waits, so that it can disconnect and print its results; that is no
    /// failure. False when that happened.
    public static boolean runUntilStopped(Runnable body) {
        try (var _ = new StopSignal()) {
            body.run();
            return true;
        } catch (RuntimeException e) {
            if (!Result.isInterrupt(e)) {
                throw e;
            }
            return false;
        }
    }
}
