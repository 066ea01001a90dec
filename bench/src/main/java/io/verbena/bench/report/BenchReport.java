package io.verbena.bench.report;

import io.verbena.bench.run.Outcome;
import io.verbena.bench.run.Records;
import io.verbena.bench.run.Timing;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Everything that is reported of a run.
///
/// - `remarks`: of contestants, by name
/// - `skipped`: contestants without results, and why
public record BenchReport(
        MachineInfo machine,
        Timing timing,
        Records records,
        List<Outcome> outcomes,
        Map<String, String> remarks,
        Map<String, String> skipped) {

    public long met() {
        return outcomes.stream().filter(Outcome::met).count();
    }

    /// A warning when a goal was compared in fewer rounds than its median needs; empty when all had enough.
    public Optional<String> tooFewRounds() {
        IntSummaryStatistics rounds = outcomes.stream()
                .mapToInt(outcome -> outcome.ratio().count())
                .filter(count -> count > 0)
                .summaryStatistics();
        return rounds.getCount() == 0 || rounds.getMin() >= Timing.ROUNDS
                ? Optional.empty()
                : Optional.of("Some goals were compared in " + rounds.getMin() + " rounds only, and should be in "
                        + Timing.ROUNDS + ".");
    }

    /// `1 of 3 goals measured met, 13 left out`
    public String summary() {
        long leftOut = outcomes.stream().filter(Outcome::isLeftOut).count();
        long skipped = outcomes.stream().filter(Outcome::isSkipped).count() - leftOut;
        long measured = outcomes.size() - leftOut - skipped;
        String met = measured == 0
                ? "no goal measured"
                : met() + " of " + measured + (measured < outcomes.size() ? " goals measured met" : " goals met");
        return met
                + (leftOut > 0 ? ", " + leftOut + " left out" : "")
                + (skipped > 0 ? ", " + skipped + " skipped" : "");
    }
}
