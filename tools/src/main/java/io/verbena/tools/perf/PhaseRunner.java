package io.verbena.tools.perf;

import io.verbena.report.measure.UsageMeter;
import io.verbena.tools.perf.MeasuringLoop.Phase;
import io.verbena.tools.perf.PhaseResult.PeerReport;
import io.verbena.tools.perf.report.Measurement.Usage;
import io.verbena.tools.program.Progress;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// Runs the phases of a loop, measures what they cost, and reports the results to the listener, also those of a phase
/// that was stopped. The server of a test in one direction measures nothing and reports nothing.
final class PhaseRunner {
    private final MeasuringLoop loop;
    private final boolean measures;
    private final SessionSettings settings;
    private final PerfListener listener;
    private final UsageMeter meter = new UsageMeter();

    /// @param measures whether this side's numbers are results
    PhaseRunner(MeasuringLoop loop, boolean measures, SessionSettings settings, PerfListener listener) {
        this.loop = loop;
        this.measures = measures;
        this.settings = settings;
        this.listener = listener;
    }

    /// @param counts false for a warm-up
    PhaseResult run(Phase phase, boolean counts) {
        try (var _ = counts ? progress(phase) : null) {
            meter.start();
            try {
                loop.run(phase);
            } finally {
                meter.stop();
            }
        } catch (StoppedException e) {
            throw stopped(counts);
        } catch (RdmaException e) {
            throw e.errno() == Errno.EINTR ? stopped(counts) : e;
        }
        return loop.result(true);
    }

    private Progress progress(Phase phase) {
        long total = phase.isTimed() ? 0 : phase.iterations() * loop.queuePairs.length;
        return settings.progress() == null ? null : Progress.start(settings.progress(), loop::done, total);
    }

    private StoppedException stopped(boolean counts) {
        if (counts) {
            report(loop.result(false), null);
        }
        return new StoppedException();
    }

    /// @param peer the peer's measurement of the other direction, or null
    void report(PhaseResult result, PeerReport peer) {
        if (measures) {
            listener.measured(result.with(peer, new Usage(result.messages(), meter.cpuNs(), meter.allocated())));
        }
    }
}
