package io.verbena.tools.sequence;

import io.verbena.tools.recording.Arrow;
import io.verbena.tools.recording.TraceStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Joins equal steps in a row into one, such as the receives that a program posts at its start.
final class StepJoiner {
    private static final int FEWEST = 3;

    private StepJoiner() {}

    /// @param arrows steps at their ends are not joined
    static List<TraceStep> join(List<TraceStep> steps, List<Arrow> arrows) {
        Set<TraceStep> ends = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Arrow arrow : arrows) {
            ends.add(arrow.from());
            ends.add(arrow.to());
        }
        List<TraceStep> joined = new ArrayList<>();
        for (int i = 0; i < steps.size(); ) {
            int end = i + 1;
            while (end < steps.size() && areEqual(steps.get(i), steps.get(end), ends)) {
                end++;
            }
            if (end - i >= FEWEST) {
                joined.add(steps.get(i).times(end - i));
            } else {
                joined.addAll(steps.subList(i, end));
            }
            i = end;
        }
        return joined;
    }

    private static boolean areEqual(TraceStep first, TraceStep other, Set<TraceStep> ends) {
        return first.label().equals(other.label())
                && first.kind().equals(other.kind())
                && !ends.contains(first)
                && !ends.contains(other);
    }
}
