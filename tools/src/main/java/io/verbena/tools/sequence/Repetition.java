package io.verbena.tools.sequence;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// Makes one step of many equal ones in a row, such as the receives that a program posts before it starts.
final class Repetition {
    private static final int FEWEST = 3;

    private Repetition() {}

    /// @param arrows what starts or ends one of these stays alone
    static List<Step> join(List<Step> steps, List<Arrow> arrows) {
        Set<Step> ends = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Arrow arrow : arrows) {
            ends.add(arrow.from());
            ends.add(arrow.to());
        }
        List<Step> joined = new ArrayList<>();
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

    private static boolean areEqual(Step first, Step other, Set<Step> ends) {
        return first.label().equals(other.label())
                && first.kind().equals(other.kind())
                && !ends.contains(first)
                && !ends.contains(other);
    }
}
