package io.verbena.bench.report;

import io.verbena.bench.run.RunProgress;
import java.io.Console;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/// Shows progress in one changing line on a terminal; elsewhere as a line now and then.
public final class TerminalProgress implements RunProgress {
    private static final String CLEAR = "\r\033[K";
    private static final int WIDTH = 76;
    /// A higher load average means that the machine is busy.
    private static final double BUSY = 0.7;

    private static final int TENTHS = 10;
    private static final long NANOS = 1_000_000_000L;

    private final PrintStream out;
    private final boolean terminal;
    private final long startNs = System.nanoTime();
    private int tenth = -1;

    public TerminalProgress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /// On standard error, which is a terminal or not.
    public static TerminalProgress here() {
        Console console = System.console();
        return new TerminalProgress(System.err, console != null && console.isTerminal());
    }

    /// Says so when other programs use the machine.
    public void noteLoad() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load > BUSY) {
            note(String.format(
                    Locale.ROOT,
                    "The machine is busy (load %.1f): what is measured now says little. Wait until it is idle.",
                    load));
        }
    }

    @Override
    public void step(String what, int done, int total) {
        String line = "%3d%%  %s  %s".formatted(100 * done / Math.max(1, total), left(done, total), what);
        if (terminal) {
            out.print(CLEAR + (line.length() > WIDTH ? line.substring(0, WIDTH) : line));
            out.flush();
        } else if (TENTHS * done / Math.max(1, total) > tenth) {
            tenth = TENTHS * done / Math.max(1, total);
            out.println(line);
        }
    }

    /// Estimated time left, from the time so far.
    private String left(int done, int total) {
        if (done == 0) {
            return "     ";
        }
        long seconds = (System.nanoTime() - startNs) / done * (total - done) / NANOS;
        return "%d:%02d left".formatted(seconds / 60, seconds % 60);
    }

    @Override
    public void note(String text) {
        out.println((terminal ? CLEAR : "") + text);
    }

    @Override
    public void end() {
        if (terminal) {
            out.print(CLEAR);
            out.flush();
        }
    }
}
