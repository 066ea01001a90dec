package io.verbena.bench.run;

import java.util.List;

/// How a goal stands after a run.
///
/// - `ours`, `peer`: medians in the unit of the goal's metric, of the worst pair
/// - `ratio`: of paired rounds, of the worst pair
/// - `parts`: all pairs, where there are several
/// - `remark`: what else was looked at
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

    public record Part(Goal.Pair pair, double ours, double peer, Spread ratio, double probeNs) {}
}
