package io.verbena.bench.report;

import io.verbena.bench.run.Outcome;
import io.verbena.bench.run.Records;
import io.verbena.bench.run.Timing;
import java.util.List;
import java.util.Map;

/// All there is to show of a run.
///
/// - `remarks`: of contestants, by name
/// - `skipped`: contestants that gave no results, and why
public record Report(
        Machine machine,
        Timing timing,
        Records records,
        List<Outcome> outcomes,
        Map<String, String> remarks,
        Map<String, String> skipped) {

    public long met() {
        return outcomes.stream().filter(Outcome::met).count();
    }
}
