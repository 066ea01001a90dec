package io.verbena.tools.perf.report;

import io.verbena.tools.perf.PerfListener;
import io.verbena.tools.perf.PerfRun;
import io.verbena.tools.text.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Makes one JSON document of a run when it is over, however it ended.
final class JsonReport implements PerfListener {
    private final Consumer<String> target;
    private final List<Measurement> measurements = new ArrayList<>();
    private PerfRun run;

    JsonReport(Consumer<String> target) {
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
    public void finished(String trouble) {
        if (run != null) {
            target.accept(Json.write(ResultDocument.of(run, measurements, trouble)) + "\n");
        }
    }
}
