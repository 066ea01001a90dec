package io.verbena.bench.pair;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/// What was counted, by name: by the side's own counters, and by the kernel for the thread that measures.
public record Events(Map<String, Long> counts) {
    /// Interrupts of all processors, among them those by which one processor makes another do something.
    public static final String INTERRUPTS = "interrupts of the machine";
    /// How often another thread got the processor although this one had work.
    public static final String PREEMPTIONS = "preemptions of the measuring threads";

    public static final Events NONE = new Events(Map.of());

    private static final Path STATISTICS = Path.of("/proc/stat");
    private static final Path STATUS = Path.of("/proc/thread-self/status");

    static Events now(BenchSide side) {
        Map<String, Long> counts = new LinkedHashMap<>(side.counters());
        addWord(counts, INTERRUPTS, STATISTICS, "intr ");
        addWord(counts, PREEMPTIONS, STATUS, "nonvoluntary_ctxt_switches:");
        return new Events(counts);
    }

    /// Adds the number after the first words of a line; none on systems without the file.
    private static void addWord(Map<String, Long> counts, String name, Path file, String begin) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(begin)) {
                    String rest = line.substring(begin.length()).trim();
                    counts.put(name, Long.parseLong(rest.split(" ")[0]));
                    return;
                }
            }
        } catch (IOException notLinux) {
            // not counted
        }
    }

    /// What was counted since an earlier moment.
    Events since(Events before) {
        Map<String, Long> difference = new LinkedHashMap<>();
        counts.forEach((name, count) -> difference.put(name, count - before.counts.getOrDefault(name, 0L)));
        difference.values().removeIf(count -> count == 0);
        return new Events(difference);
    }

    /// Both sides together. The machine is the same for both, so its events count once.
    public Events plus(Events other) {
        Map<String, Long> sum = new LinkedHashMap<>(counts);
        other.counts.forEach((name, count) -> sum.merge(name, count, name.equals(INTERRUPTS) ? Math::max : Long::sum));
        return new Events(sum);
    }

    /// `NAME=VALUE;...`
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        counts.forEach(
                (name, value) -> text.append(name).append('=').append(value).append(';'));
        return text.toString();
    }

    public static Events parse(String text) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (String part : text.split(";")) {
            int at = part.lastIndexOf('=');
            if (at > 0) {
                counts.put(part.substring(0, at).trim(), Long.parseLong(part.substring(at + 1)));
            }
        }
        return new Events(counts);
    }
}
