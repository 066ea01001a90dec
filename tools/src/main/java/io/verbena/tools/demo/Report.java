package io.verbena.tools.demo;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.RdmaException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/// The reports of a child to its parent: lines on standard output, with fields separated by tabs.
///
/// Events are buffered until the step is over, because writing them would wake the parent in the middle of a step.
final class Report {
    static final String MARK = "@verbena";

    /// The kinds of lines, each with its fields in brackets.
    enum Kind {
        /// [address, port]
        LISTENING,
        /// [name] of the step that begins
        STEP,
        /// [time in ns, text]
        EVENT,
        /// [time in ns]: all events before it have been reported
        FLUSHED,
        /// [name, number]
        VALUE,
        /// [name] of the path that the measured messages took
        PATH,
        /// [name, encoded histogram]
        HISTOGRAM,
        /// [bytes] written into the server's memory
        WRITTEN,
        /// [bytes] compared and correct
        VERIFIED,
        /// [text]
        FAILED,
        DONE,
        /// [exit code]; the parent makes it when the process has ended
        EXITED
    }

    private final PrintStream out;
    private final List<String> events = new ArrayList<>();
    // nanoTime has no common origin between processes, but the wall clock has; its adjustments during a run must not
    // show
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
        send(Kind.FAILED, oneLine(error));
    }

    /// The message for the user about any error.
    private static String oneLine(Throwable error) {
        String message = error.getMessage();
        boolean own = error instanceof ProgramException || error instanceof RdmaException;
        String text = message == null || message.isBlank()
                ? error.getClass().getSimpleName()
                : own ? message : error.getClass().getSimpleName() + ": " + message;
        return text.strip().replaceAll("\\s*\\R\\s*", "; ").replace('\t', ' ');
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
