package io.verbena.tools.perf;

import io.verbena.tools.perf.Loop.Phase;
import io.verbena.tools.perf.Result.PeerReport;
import io.verbena.tools.program.Progress;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// Carries out phases of a loop with a meter beside it, and tells the listener what came out, also of a phase
/// that was stopped. Servers of one-way tests have nothing to tell: they measure nothing.
final class Measuring {
    private final Loop loop;
    private final boolean measures;
    private final SessionSettings settings;
    private final PerfListener listener;
    private final UsageMeter meter = new UsageMeter();

    /// @param measures whether this side's numbers are results
    Measuring(Loop loop, boolean measures, SessionSettings settings, PerfListener listener) {
        this.loop = loop;
        this.measures = measures;
        this.settings = settings;
        this.listener = listener;
    }

    /// @param counts whether it is more than a warm-up
    Result run(Phase phase, boolean counts) {
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
        long total = phase.isTimed() ? 0 : phase.iterations() * loop.lanes.length;
        return settings.progress() == null ? null : Progress.start(settings.progress(), loop::done, total);
    }

    private StoppedException stopped(boolean counts) {
        if (counts) {
            tell(loop.result(false), null);
        }
        return new StoppedException();
    }

    /// @param peer what the peer measured of the other direction, or null
    void tell(Result result, PeerReport peer) {
        if (measures) {
            listener.measured(result.with(peer, meter.usage(result.messages())));
        }
    }
}
