package io.verbena.tools.perf.report;

import io.verbena.tools.perf.PerfListener;
import io.verbena.tools.perf.PerfRun;
import io.verbena.tools.perf.PerfTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Makes one document of a run when it ends, also when it ends early.
final class DocumentReport implements PerfListener {
    private final Consumer<Map<String, Object>> target;
    private final List<Measurement> measurements = new ArrayList<>();
    private final PerfTest test;
    private PerfRun run;
    private String path;

    DocumentReport(PerfTest test, Consumer<Map<String, Object>> target) {
        this.test = test;
        this.target = target;
    }

    @Override
    public void started(PerfRun started) {
        run = started;
    }

    @Override
    public void measured(Measurement measurement) {
        measurements.add(measurement);
    }

    @Override
    public void path(String seen) {
        path = seen;
    }

    @Override
    public void finished(String trouble) {
        target.accept(
                run == null
                        ? ResultDocument.ofNoRun(test, trouble)
                        : ResultDocument.of(run, measurements, path, trouble));
    }
}
