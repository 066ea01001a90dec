package io.verbena.tools.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Finds by how much the clocks of the files differ. An effect is never earlier than its cause: each message from one
/// file to another says how much at least, each one back how much at most. Clocks that agree with all messages are left
/// as they are; otherwise the middle is taken.
final class ClockAlignment {
    /// Captures count in microseconds.
    private static final long TOLERANCE_NS = 2_000;

    private final int sources;
    /// `least[a][b]`: what must at least be added to the clock of b to agree with that of a.
    private final long[][] least;

    private final long[] offsets;
    private final List<String> notes = new ArrayList<>();

    ClockAlignment(int sources) {
        this.sources = sources;
        least = new long[sources][sources];
        for (long[] row : least) {
            Arrays.fill(row, Long.MIN_VALUE);
        }
        offsets = new long[sources];
    }

    void follows(ViewEvent cause, ViewEvent effect) {
        if (cause != null && effect != null && cause.source != effect.source) {
            long[] row = least[cause.source];
            row[effect.source] = Math.max(row[effect.source], cause.timeNs - effect.timeNs);
        }
    }

    /// What to add to the times of each file.
    ///
    /// @param names of the files, for notes
    long[] offsets(List<String> names) {
        boolean[] known = new boolean[sources];
        if (sources > 0) {
            known[0] = true;
        }
        for (int round = 0; round < sources; round++) {
            for (int a = 0; a < sources; a++) {
                for (int b = 0; b < sources; b++) {
                    if (known[a] && !known[b] && isLinked(a, b)) {
                        offsets[b] = offsets[a] + between(a, b, names);
                        known[b] = true;
                    }
                }
            }
        }
        return offsets;
    }

    List<String> notes() {
        return notes;
    }

    private boolean isLinked(int a, int b) {
        return least[a][b] != Long.MIN_VALUE || least[b][a] != Long.MIN_VALUE;
    }

    private long between(int a, int b, List<String> names) {
        long low = least[a][b];
        long high = least[b][a] == Long.MIN_VALUE ? Long.MAX_VALUE : -least[b][a];
        boolean isBounded = low != Long.MIN_VALUE && high != Long.MAX_VALUE;
        if (low <= TOLERANCE_NS && high >= -TOLERANCE_NS) {
            return 0;
        }
        long offset = isBounded ? low + (high - low) / 2 : low == Long.MIN_VALUE ? high : low;
        notes.add("The clock of %s was moved by %.3f ms to that of %s%s."
                .formatted(
                        names.get(b),
                        offset / 1e6,
                        names.get(a),
                        isBounded
                                ? ", give or take %.3f ms".formatted(Math.abs(high - low) / 2e6)
                                : "; messages went one way only, so it may be off"));
        return offset;
    }
}
