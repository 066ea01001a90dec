package io.verbena.tools.program;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/// One line on a terminal that shows the progress of a long run, once a second. Nothing is printed elsewhere.
///
/// A thread of its own reads the counter, so the run itself pays nothing. It may read an old value.
public final class Progress implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter out;
    private final LongSupplier done;
    private final long total;
    private final Thread thread;
    private boolean shown;

    private Progress(PrintWriter out, LongSupplier done, long total) {
        this.out = out;
        this.done = done;
        this.total = total;
        this.thread = isWanted() ? Thread.ofPlatform().daemon().name("progress").start(this::run) : null;
    }

    /// @param total the count at the end; 0: unknown
    public static Progress start(Output output, LongSupplier done, long total) {
        return new Progress(output.err(), done, total);
    }

    private static boolean isWanted() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(INTERVAL);
                out.print(ERASE + text(done.getAsLong(), total));
                out.flush();
                shown = true;
            }
        } catch (InterruptedException closed) {
            // the run is over
        }
    }

    static String text(long done, long total) {
        return total == 0
                ? String.format(Locale.ROOT, "%,d", done)
                : String.format(Locale.ROOT, "%,d of %,d (%d %%)", done, total, 100 * done / total);
    }

    /// Removes the line.
    @Override
    public void close() {
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (shown) {
            out.print(ERASE);
            out.flush();
        }
    }
}
