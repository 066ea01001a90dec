package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import java.net.InetSocketAddress;
import java.time.Duration;

/// Prints on standard error what a client waits for when no server answers within two seconds; a busy machine needs one
/// to start a device. A missing server on another host looks like a slow one, so connecting takes all of `--timeout`,
/// and the user should know why.
public final class ConnectNotice implements AutoCloseable {
    private static final Duration DELAY = Duration.ofSeconds(2);

    /// A standard error that nobody reads may block.
    private static final Duration LONGEST_PRINT = Duration.ofSeconds(1);

    private final Thread thread;

    ConnectNotice(Output output, String line, Duration delay) {
        thread = Thread.ofPlatform().daemon().name("connect notice").start(() -> sayLater(output, line, delay));
    }

    /// Starts the notice, which is to be closed when the client is connected.
    ///
    /// @param patience how long it waits at most; zero: for ever
    /// @param command starts the server, e.g. `verbena ping`
    public static ConnectNotice start(Output output, InetSocketAddress server, Duration patience, String command) {
        String line = "no answer from " + AddressText.of(server) + " yet; waiting "
                + (patience.isZero() ? "until there is one" : "up to " + patience.toSeconds() + " s")
                + ", start the server there: " + command;
        return new ConnectNotice(output, line, DELAY);
    }

    private static void sayLater(Output output, String line, Duration delay) {
        try {
            Thread.sleep(delay);
            output.note(line);
        } catch (InterruptedException connected) {
            // connecting failed, which is reported elsewhere
        }
    }

    /// Nothing is printed after this.
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
