package io.verbena.bench.run;

import java.util.List;

/// The outcome of a goal.
///
/// - `ours`, `peer`: medians in the unit of the goal's metric, of the worst pair
/// - `ratio`: of paired rounds, of the worst pair
/// - `parts`: all pairs, where there are several
/// - `remark`: other conditions
/// - `skipped`: why there is no ratio; empty when there is one
public record Outcome(
        Goal goal,
        double ours,
        double peer,
        Spread ratio,
        double probeNs,
        boolean met,
        List<Part> parts,
        String remark,
        String skipped) {
    /// Reason of a goal that was not selected.
    public static final String LEFT_OUT = "left out by --only";

    static Outcome skipped(Goal goal, String why) {
        return new Outcome(goal, Double.NaN, Double.NaN, Spread.of(), Double.NaN, false, List.of(), "", why);
    }

    public boolean isSkipped() {
        return !skipped.isEmpty();
    }

    public boolean isLeftOut() {
        return skipped.equals(LEFT_OUT);
    }

    public record Part(Goal.Pair pair, double ours, double peer, Spread ratio, double probeNs) {}
}
