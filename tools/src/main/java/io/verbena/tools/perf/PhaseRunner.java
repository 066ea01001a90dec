package io.verbena.tools.perf;

import io.verbena.report.measure.UsageMeter;
import io.verbena.tools.perf.MeasuringLoop.Phase;
import io.verbena.tools.perf.PhaseResult.PeerReport;
import io.verbena.tools.perf.report.Measurement.Usage;
import io.verbena.tools.program.Progress;
import io.verbena.tools.program.Result;

/// Runs the phases of a loop, measures what they cost, and reports the results to the listener, also those of a phase
/// that was stopped. The server of a test in one direction measures nothing and reports nothing.
record PhaseRunner(
        PerfParameters parameters,
        PeerChannel channel,
        MeasuringLoop loop,
        SessionSettings settings,
        PerfListener listener,
        UsageMeter meter) {
    /// Whether this side's numbers are results.
    private boolean isMeasuring() {
        return channel.isClient() || parameters.bidirectional();
    }

    /// Makes the requests of a phase. A timed one ends by the clock of the side that measures.
    ///
    /// @param sendsDone called once this side has sent everything
    Phase prepare(int size, long iterations, long nanoseconds, boolean peak, Runnable sendsDone) {
        var phase = new Phase(size, iterations, nanoseconds, !isMeasuring(), peak, sendsDone);
        loop.prepare(phase);
        return phase;
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
        } catch (RuntimeException e) {
            if (counts && Result.isInterrupt(e)) {
                report(loop.result(false), null);
            }
            throw e;
        }
        return loop.result(true);
    }

    private Progress progress(Phase phase) {
        long total = phase.isTimed() ? 0 : phase.iterations() * loop.queuePairs.length;
        return settings.progress() == null ? null : Progress.start(settings.progress(), loop::done, total);
    }

    /// @param peer the peer's measurement of the other direction, or null
    void report(PhaseResult result, PeerReport peer) {
        if (isMeasuring()) {
            listener.measured(result.with(peer, new Usage(result.messages(), meter.cpuNs(), meter.allocated())));
        }
    }
}
