package io.verbena.bench.run;

import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.side.Child;
import io.verbena.bench.side.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Counts the system calls of the two threads that measure, with `strace`, while they exchange messages.
public final class SystemCalls {
    private static final String TRACER = "strace";
    private static final String INSTALL = "apt install strace";
    private static final Duration LIMIT = Duration.ofSeconds(10);
    /// The calls around a loop are the same for both counts, and cancel out.
    private static final long FEW = 1_000;

    private static final long MANY = 21_000;

    private SystemCalls() {}

    /// - `perMessage`: NaN when nothing was counted; `text` is the result, or why there is none
    public record Count(double perMessage, String text) {
        public boolean isKnown() {
            return !Double.isNaN(perMessage);
        }

        public static Count unknown(String why) {
            return new Count(Double.NaN, "system calls: not checked: " + why);
        }
    }

    static Count of(PairContestant contestant, Measurement measurement) {
        if (!isInstalled()) {
            return Count.unknown("strace is not installed: " + INSTALL);
        }
        try {
            long few = count(contestant, measurement, FEW);
            long many = count(contestant, measurement, MANY);
            double perMessage = Math.max(0, many - few) / (double) (MANY - FEW);
            String text = perMessage < Judge.NEARLY_NO_CALLS
                    ? free(few, many)
                    : String.format(Locale.ROOT, "%.2f system calls per round trip, says strace", perMessage);
            return new Count(perMessage, text);
        } catch (IOException e) {
            return Count.unknown(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Count.unknown("interrupted");
        }
    }

    static String free(long few, long many) {
        String more = many <= few ? "no more" : String.format(Locale.ROOT, "only %,d more", many - few);
        return String.format(
                Locale.ROOT, "%,d more round trips made %s system calls (%,d, then %,d)", MANY - FEW, more, few, many);
    }

    private static long count(PairContestant contestant, Measurement measurement, long messages)
            throws IOException, InterruptedException {
        try (Child one = attach(contestant.ask(true, "thread"));
                Child other = attach(contestant.ask(false, "thread"))) {
            contestant.exchange(measurement, messages);
            return detach(one) + detach(other);
        }
    }

    static boolean isInstalled() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
            if (Files.isExecutable(Path.of(folder, TRACER))) {
                return true;
            }
        }
        return false;
    }

    /// Attaches strace to one thread, without threads it may start. strace reports on standard error that it is
    /// attached.
    private static Child attach(String thread) throws IOException, InterruptedException {
        Child tracer = Child.command(
                TRACER, Map.of(), List.of("sh", "-c", "exec strace -c -S calls -p \"$1\" 2>&1", "sh", thread));
        String said = tracer.await(LIMIT);
        if (!said.contains("attached")) {
            tracer.close();
            throw new IOException(said);
        }
        return tracer;
    }

    /// The last line of strace is the sum: `100.00    0.000123           1       123           total`. Without calls
    /// there is no such line.
    private static long detach(Child tracer) throws IOException, InterruptedException {
        tracer.interrupt();
        tracer.awaitEnd(LIMIT);
        long calls = 0;
        for (String line : tracer.rest()) {
            calls = line.endsWith(" total") ? total(line) : calls;
        }
        return calls;
    }

    /// Parses percent, seconds, microseconds per call, calls, perhaps errors, and the word.
    static long total(String line) {
        String[] words = line.trim().split("\\s+");
        return Long.parseLong(words[3]);
    }
}
