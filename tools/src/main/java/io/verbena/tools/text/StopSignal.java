package io.verbena.tools.text;

import java.time.Duration;

/// Ends a command in an orderly manner on Ctrl-C: its thread is interrupted, so that its wait ends with EINTR, and the
/// process waits a moment for it to disconnect and print its results.
public final class StopSignal implements AutoCloseable {
    /// Only a command that hangs, or shares a processor with many, needs that long.
    private static final Duration LONGEST = Duration.ofSeconds(6);

    private final Thread worker = Thread.currentThread();
    private final Thread hook = new Thread(this::stop, "stop");
    private boolean done;

    /// For the thread that creates it, until it is closed.
    public StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Whether the process is ending: then connections break because this side's device disconnects, not the peer.
    public static boolean isStopping() {
        Thread probe = new Thread();
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException ending) {
            return true;
        }
    }

    private synchronized void stop() {
        if (!done) {
            worker.interrupt();
            try {
                wait(LONGEST.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            done = true;
            notifyAll();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // the hook has run
        }
    }
}
