package io.verbena.tools.perf.report;

import io.verbena.tools.perf.PerfListener;
import io.verbena.tools.perf.PerfRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Makes one document of a run when it is over, however it ended.
final class DocumentReport implements PerfListener {
    private final Consumer<Map<String, Object>> target;
    private final List<Measurement> measurements = new ArrayList<>();
    private PerfRun run;
    private String path;

    DocumentReport(Consumer<Map<String, Object>> target) {
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
        if (run != null) {
            target.accept(ResultDocument.of(run, measurements, path, trouble));
        }
    }
}
