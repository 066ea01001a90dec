package io.verbena.tools.demo;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// How a child of the demo tells its parent what happens: lines on standard output, fields parted by tabs.
///
/// Events are kept until the step is over, because writing them out would wake the parent in the middle of a step.
final class Report {
    static final String MARK = "@verbena";

    /// The kinds of lines; the fields that follow are in brackets.
    enum Kind {
        /// [address, port]
        LISTENING,
        /// [name] of the step that begins
        STEP,
        /// [time in ns, text]
        EVENT,
        /// [time in ns]: all events up to then are out
        FLUSHED,
        /// [name, number]
        VALUE,
        /// [name] of the way that the measured messages went
        PATH,
        /// [name, encoded histogram]
        HISTOGRAM,
        /// [bytes] that went into the server's memory
        WRITTEN,
        /// [bytes] compared and found right
        VERIFIED,
        /// [text]
        FAILED,
        DONE,
        /// [exit code]; made by the parent when the process is gone
        EXITED
    }

    private final PrintStream out;
    private final List<String> events = new ArrayList<>();
    // nanoTime has no common origin between processes, the wall clock has; its steps in mid-run must not show
    private final long originNs;

    Report(PrintStream out) {
        this.out = out;
        Instant now = Instant.now();
        this.originNs = now.getEpochSecond() * 1_000_000_000 + now.getNano() - System.nanoTime();
    }

    private long nowNs() {
        return originNs + System.nanoTime();
    }

    synchronized void event(String format, Object... arguments) {
        long at = nowNs();
        events.add(line(Kind.EVENT, at, String.format(Locale.ROOT, format, arguments)));
    }

    synchronized void flush() {
        long until = nowNs();
        events.forEach(out::println);
        events.clear();
        out.println(line(Kind.FLUSHED, until));
        out.flush();
    }

    synchronized void step(String name) {
        flush();
        send(Kind.STEP, name);
    }

    void value(String name, double number) {
        send(Kind.VALUE, name, number);
    }

    void histogram(String name, Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = new byte[length];
        buffer.get(0, bytes);
        send(Kind.HISTOGRAM, name, Base64.getEncoder().encodeToString(bytes));
    }

    synchronized void failed(Throwable error) {
        flush();
        send(Kind.FAILED, DemoException.oneLine(error));
    }

    synchronized void done() {
        flush();
        send(Kind.DONE);
    }

    synchronized void send(Kind kind, Object... fields) {
        out.println(line(kind, fields));
        out.flush();
    }

    private static String line(Kind kind, Object... fields) {
        StringBuilder text = new StringBuilder(MARK).append('\t').append(kind);
        for (Object field : fields) {
            text.append('\t').append(field);
        }
        return text.toString();
    }
}
