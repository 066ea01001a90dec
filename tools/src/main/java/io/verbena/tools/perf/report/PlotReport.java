package io.verbena.tools.perf.report;

import io.verbena.tools.perf.PerfListener;
import io.verbena.tools.perf.PerfRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Plots a run when it is over. A side that measures nothing, as the server of a READ test, leaves no file.
final class PlotReport implements PerfListener {
    private final Path file;
    private final List<Measurement> measurements = new ArrayList<>();
    private PerfRun run;

    PlotReport(Path file) {
        this.file = file;
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
        if (run != null && measurements.stream().anyMatch(measured -> measured.messages() > 0)) {
            var document = ResultDocument.of(run, measurements, trouble);
            Plot.write(file, List.of(SavedResult.of(run.device(), "the result", document)));
        }
    }
}
