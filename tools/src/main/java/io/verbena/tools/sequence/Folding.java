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

    private Folding() {}

    static List<Row> of(List<Step> steps) {
        List<Integer> starts = starts(steps);
        List<Row> rows = new ArrayList<>();
        if (starts.size() < FEWEST) {
            show(rows, steps);
            return rows;
        }
        int first = starts.get(1);
        int last = starts.getLast();
        show(rows, steps.subList(0, first));
        Set<String> known = new HashSet<>();
        steps.subList(0, first).forEach(step -> known.add(signature(step)));
        int folded = 0;
        for (int round = 1; round < starts.size() - 1; round++) {
            List<Step> some = steps.subList(starts.get(round), starts.get(round + 1));
            if (some.stream().allMatch(step -> known.contains(signature(step)))) {
                folded++;
            } else {
                folded = fold(rows, folded);
                show(rows, some);
                some.forEach(step -> known.add(signature(step)));
            }
        }
        fold(rows, folded);
        show(rows, steps.subList(last, steps.size()));
        return rows;
    }

    private static int fold(List<Row> rows, int rounds) {
        if (rounds > 0) {
            rows.add(new Row.Folded(rounds));
        }
        return 0;
    }

    private static void show(List<Row> rows, List<Step> steps) {
        steps.forEach(step -> rows.add(new Row.Shown(step)));
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
