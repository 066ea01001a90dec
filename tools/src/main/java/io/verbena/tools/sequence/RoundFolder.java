package io.verbena.tools.sequence;

import io.verbena.tools.recording.TraceStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Shows the first and the last of many rounds, and the number of rounds between them.
///
/// A round starts with the send request that is posted least often among those that are posted more than once.
/// A round is left out only when everything in it also happens in the first round.
final class RoundFolder {
    /// Fewer rounds are all shown.
    private static final int FEWEST = 4;
    /// Longer diagrams are folded by requests that are posted more often than the rarest.
    private static final int LONG = 120;

    private final List<DiagramRow> rows = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    /// Requests that were posted since the last fold.
    private final Set<String> posted = new HashSet<>();
    private int folded;

    private RoundFolder() {}

    static List<DiagramRow> of(List<TraceStep> steps) {
        var folding = new RoundFolder();
        List<Integer> starts = starts(steps);
        if (starts.size() < FEWEST) {
            return none(steps);
        }
        folding.show(steps.subList(0, starts.get(1)));
        for (int round = 1; round < starts.size() - 1; round++) {
            List<TraceStep> some = steps.subList(starts.get(round), starts.get(round + 1));
            if (some.stream().allMatch(step -> folding.known.contains(signature(step)))) {
                folding.folded++;
            } else {
                folding.show(some);
            }
        }
        folding.show(steps.subList(starts.getLast(), steps.size()));
        return folding.rows;
    }

    /// All steps, without folding.
    static List<DiagramRow> none(List<TraceStep> steps) {
        var folding = new RoundFolder();
        folding.show(steps);
        return folding.rows;
    }

    private void show(List<TraceStep> steps) {
        if (folded > 0) {
            rows.add(new DiagramRow.Folded(folded));
            folded = 0;
            posted.clear();
        }
        for (TraceStep step : steps) {
            known.add(signature(step));
            if (step.isCall()) {
                posted.add(step.request());
            }
            if (!isLate(step)) {
                rows.add(new DiagramRow.Shown(step));
            }
        }
    }

    /// Whether the step is the completion of a request that was folded.
    private boolean isLate(TraceStep step) {
        return step.isCompletion()
                && !step.isFailure()
                && !step.operation().startsWith("RECEIVE")
                && rows.stream().anyMatch(DiagramRow.Folded.class::isInstance)
                && !posted.contains(step.request());
    }

    private static List<Integer> starts(List<TraceStep> steps) {
        Map<String, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).isCall("ibv_post_send")) {
                places.computeIfAbsent(signature(steps.get(i)), _ -> new ArrayList<>())
                        .add(i);
            }
        }
        int least = steps.size() > LONG ? FEWEST : 2;
        return places.values().stream()
                .filter(all -> all.size() >= least)
                .min(Comparator.comparingInt(List::size))
                .orElse(List.of());
    }

    /// Two steps with equal signatures look equal to the reader.
    private static String signature(TraceStep step) {
        return step.side() + " " + step.label();
    }
}
