package io.verbena.tools.sequence;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Shows the first and the last of many rounds, and says how many were between them.
///
/// A round starts with the send request that is posted least often among those that are posted more than once.
/// Only rounds in which nothing happens that does not happen in the first one are left out.
final class Folding {
    /// Fewer rounds are shown as they are.
    private static final int FEWEST = 4;
    /// Longer pictures are folded by requests that are posted more often than the rarest.
    private static final int LONG = 120;

    private final List<Row> rows = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    /// Requests that were posted since the last fold.
    private final Set<String> posted = new HashSet<>();
    private int folded;

    private Folding() {}

    static List<Row> of(List<Step> steps) {
        var folding = new Folding();
        List<Integer> starts = starts(steps);
        if (starts.size() < FEWEST) {
            return none(steps);
        }
        folding.show(steps.subList(0, starts.get(1)));
        for (int round = 1; round < starts.size() - 1; round++) {
            List<Step> some = steps.subList(starts.get(round), starts.get(round + 1));
            if (some.stream().allMatch(step -> folding.known.contains(signature(step)))) {
                folding.folded++;
            } else {
                folding.show(some);
            }
        }
        folding.show(steps.subList(starts.getLast(), steps.size()));
        return folding.rows;
    }

    /// All of them.
    static List<Row> none(List<Step> steps) {
        var folding = new Folding();
        folding.show(steps);
        return folding.rows;
    }

    private void show(List<Step> steps) {
        if (folded > 0) {
            rows.add(new Row.Folded(folded));
            folded = 0;
            posted.clear();
        }
        for (Step step : steps) {
            known.add(signature(step));
            if (step.isCall()) {
                posted.add(step.request());
            }
            if (!isLate(step)) {
                rows.add(new Row.Shown(step));
            }
        }
    }

    /// Whether it is the end of a request that was folded.
    private boolean isLate(Step step) {
        return step.isCompletion()
                && !step.isFailure()
                && !step.operation().startsWith("RECEIVE")
                && rows.stream().anyMatch(Row.Folded.class::isInstance)
                && !posted.contains(step.request());
    }

    private static List<Integer> starts(List<Step> steps) {
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

    /// What makes two steps equal for the reader.
    private static String signature(Step step) {
        return step.side() + " " + step.label();
    }
}
