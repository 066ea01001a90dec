package io.verbena.tools.text;

import java.time.Duration;

/// Ctrl-C ends a command in an orderly way: its thread is interrupted, so that its wait ends with EINTR, and the
/// process waits a moment for it to say good-bye and to print what it has.
public final class StopSignal implements AutoCloseable {
    /// Only who hangs needs that long, or shares a processor with many.
    private static final Duration LONGEST = Duration.ofSeconds(6);

    private final Thread worker = Thread.currentThread();
    private final Thread hook = new Thread(this::stop, "stop");
    private boolean done;

    /// For the thread that makes it, until it is closed.
    public StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Whether the process is ending: connections then break because this side's device says good-bye, not the peer.
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
            // the hook has nothing left to do
        }
    }
}
