package io.verbena.tools.perf.report;

import io.verbena.tools.perf.PerfListener;
import io.verbena.tools.perf.PerfRun;
import io.verbena.tools.perf.PerfTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The reports of one run: its tables while it runs, and documents when it ends, also when it ends early.
final class RunReport implements PerfListener {
    private final PerfTest test;
    private final Optional<TextReport> tables;
    private final List<Consumer<Map<String, Object>>> documents;
    private final List<Measurement> measurements = new ArrayList<>();
    private PerfRun run;
    private String path;

    RunReport(PerfTest test, Optional<TextReport> tables, List<Consumer<Map<String, Object>>> documents) {
        this.test = test;
        this.tables = tables;
        this.documents = documents;
    }

    @Override
    public void started(PerfRun started) {
        run = started;
        tables.ifPresent(text -> text.begin(started));
    }

    @Override
    public void measured(Measurement measurement) {
        measurements.add(measurement);
        tables.ifPresent(text -> text.row(measurement));
    }

    @Override
    public void path(String seen) {
        path = seen;
    }

    @Override
    public void finished(String trouble) {
        List<Runnable> reports = new ArrayList<>();
        if (run != null) {
            tables.ifPresent(text -> reports.add(() -> text.end(measurements, path, trouble)));
        }
        var document = ResultDocument.of(test, run, measurements, path, trouble);
        documents.forEach(target -> reports.add(() -> target.accept(document)));
        RuntimeException failed = null;
        for (Runnable report : reports) {
            try {
                report.run();
            } catch (RuntimeException e) {
                failed = failed == null ? e : failed; // the others are still written
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
