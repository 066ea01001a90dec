package io.verbena.tools.program;

import java.net.InetSocketAddress;
import java.time.Duration;

/// Says on standard error what a client waits for when nobody answers it within a second. A server that is not there
/// looks like one that is slow, so connecting takes all of `--timeout`: nobody should have to guess meanwhile.
public final class ConnectNotice implements AutoCloseable {
    private static final Duration DELAY = Duration.ofSeconds(1);

    /// A standard error that nobody reads may be full.
    private static final Duration LONGEST_PRINT = Duration.ofSeconds(1);

    private final Thread thread;

    ConnectNotice(Output output, String line, Duration delay) {
        thread = Thread.ofPlatform().daemon().name("connect notice").start(() -> sayLater(output, line, delay));
    }

    /// Open while the client connects.
    ///
    /// @param patience how long it waits at most; zero: for ever
    /// @param command starts the server, e.g. `verbena ping`
    public static ConnectNotice start(Output output, InetSocketAddress server, Duration patience, String command) {
        String line = "no answer from " + Result.text(server) + " yet; waiting "
                + (patience.isZero() ? "until there is one" : "up to " + patience.toSeconds() + " s")
                + ", start the server there: " + command;
        return new ConnectNotice(output, line, DELAY);
    }

    private static void sayLater(Output output, String line, Duration delay) {
        try {
            Thread.sleep(delay);
            output.note(line);
        } catch (InterruptedException connected) {
            // or failed, which is told by others
        }
    }

    /// Nothing is said after this.
    @Override
    public void close() {
        thread.interrupt();
        boolean interrupted = Thread.interrupted(); // Ctrl-C is for the caller
        try {
            thread.join(LONGEST_PRINT);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
