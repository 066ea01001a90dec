package io.verbena.bench.soak;

import io.verbena.bench.side.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// Checks that the resources of a process do not grow: compares the samples of the last third with those of the first,
/// after a warm-up in which classes are loaded, code is compiled and tables reach their size.
final class GrowthCheck {
    /// Share of all samples that belong to the warm-up.
    private static final double WARM_UP = 0.2;
    /// Fewest samples in a third whose median means something.
    private static final int FEWEST = 3;

    private final List<Sample> samples = new ArrayList<>();

    void add(Sample sample) {
        samples.add(sample);
    }

    boolean isLongEnough() {
        return third() >= FEWEST;
    }

    private int third() {
        return (samples.size() - (int) (samples.size() * WARM_UP)) / 3;
    }

    /// What has grown; empty when nothing has, or when there are too few samples.
    List<String> growth() {
        List<String> found = new ArrayList<>();
        if (isLongEnough()) {
            judge(found, "resident memory (KiB)", Sample::residentKb, 0.15, 16_384);
            judge(found, "used heap (KiB)", Sample::heapKb, 0.25, 2_048);
            judge(found, "descriptors", Sample::descriptors, 0.05, 4);
            judge(found, "threads", Sample::threads, 0.05, 4);
        }
        return found;
    }

    /// @param share growth by this share of the first value, plus `more`, is allowed
    private void judge(List<String> found, String what, ToLongFunction<Sample> value, double share, long more) {
        int third = third();
        long first = median(samples.subList(samples.size() - 3 * third, samples.size() - 2 * third), value);
        long last = median(samples.subList(samples.size() - third, samples.size()), value);
        if (last > first + first * share + more) {
            found.add(what + " grew from " + first + " in the first third to " + last + " in the last");
        }
    }

    private static long median(List<Sample> part, ToLongFunction<Sample> value) {
        long[] sorted = part.stream().mapToLong(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
