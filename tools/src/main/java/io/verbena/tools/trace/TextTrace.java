package io.verbena.tools.trace;

import java.io.PrintWriter;
import java.util.Locale;

/// A trace for people: milliseconds since its first line, the verb, its values. `<` marks completions and events.
/// Thread names are shown from the second thread on.
public final class TextTrace implements TraceSink {
    private final PrintWriter out;
    private long startNs;
    private String onlyThread;
    private boolean hasSeveralThreads;

    public TextTrace(PrintWriter out) {
        this.out = out;
    }

    @Override
    public synchronized void accept(TraceRecord line) {
        if (onlyThread == null) {
            onlyThread = line.thread();
            startNs = line.timeNs();
        }
        hasSeveralThreads |= !onlyThread.equals(line.thread());
        String thread = hasSeveralThreads ? "  [" + line.thread() + "]" : "";
        double ms = (line.timeNs() - startNs) / 1e6;
        String text = String.format(
                Locale.ROOT,
                "%10.3f %s %-23s  %s%s",
                ms,
                line.kind().isFromDevice() ? "<" : " ",
                line.verb(),
                line.text(),
                thread);
        out.println(text.stripTrailing());
        out.flush();
    }
}
