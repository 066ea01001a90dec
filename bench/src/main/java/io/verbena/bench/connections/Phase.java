package io.verbena.bench.connections;

import io.verbena.bench.run.Spread;
import io.verbena.bench.side.RunResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// The measured connection, alone or beside the idle ones.
///
/// - `runs`: its round trips
/// - `idleCpu`: CPU time of both processes while no program does anything, as a part of one processor
/// - `keepAlives`: of both processes, per second of that time
record Phase(List<RunResult> runs, double idleCpu, double keepAlives) {
    Spread median() {
        return spread(RunResult::p50);
    }

    Spread tail() {
        return spread(RunResult::p99);
    }

    private Spread spread(ToDoubleFunction<RunResult> what) {
        return Spread.of(runs.stream().mapToDouble(what).toArray());
    }
}
