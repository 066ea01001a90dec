package io.verbena.bench.report;

import io.verbena.bench.run.Progress;
import java.io.PrintStream;

/// Shows progress in one line that changes on a terminal; elsewhere as a line now and then.
public final class TerminalProgress implements Progress {
    private static final String CLEAR = "\r\033[K";
    private static final int WIDTH = 76;
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

    /// By what it took so far.
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
