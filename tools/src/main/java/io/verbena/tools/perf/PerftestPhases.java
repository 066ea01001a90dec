package io.verbena.tools.perf;

import io.verbena.tools.perf.MeasuringLoop.Phase;
import io.verbena.tools.perf.PerfTest.Verb;
import io.verbena.tools.perf.PhaseResult.PeerReport;
import java.util.concurrent.TimeUnit;

/// The phases with a C peer: exactly the exchanges of its program, by test.
///
/// | test | for each size | at the end |
/// |---|---|---|
/// | send-lat | barrier, run | barrier |
/// | write-lat | run | |
/// | read-lat, atomic-lat | client: run | barrier |
/// | send-bw | barrier, run, [bidirectional and not timed: reports], [several sizes: barrier] | barrier |
/// | write-bw, read-bw, atomic-bw | client: run | barrier, reports, barrier |
/// | the same, bidirectional | barrier, run, [several sizes: barrier], reports | barrier |
record PerftestPhases(Handshake handshake, PhaseRunner phases) {
    void run() {
        PerfParameters parameters = phases.parameters();
        PerfTest test = parameters.test();
        boolean both = parameters.bidirectional();
        boolean several = parameters.sizes().size() > 1;
        boolean sends = test.verb() == Verb.SEND;
        PhaseResult last = null;
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            if (sends || both) {
                handshake.barrier();
            }
            last = phases.run(phase, true);
            if (both && !sends && several) {
                handshake.barrierAfterRun();
            }
            boolean reports = both && !(sends && parameters.byDuration());
            phases.report(last, reports ? report(last) : null);
            if (test == PerfTest.SEND_BW && several) {
                handshake.barrierAfterRun();
            }
        }
        if (test != PerfTest.WRITE_LAT) {
            handshake.barrierAfterRun();
        }
        if (!test.isLatency() && !sends && !both) {
            report(last);
            handshake.barrier();
        }
    }

    private PeerReport report(PhaseResult own) {
        return BandwidthReport.exchange(phases.channel(), own, phases.settings().gigabits());
    }

    /// A C client ends a timed run with its next barrier; a C server uses its own clock.
    private Phase prepare(int size) {
        PerfParameters parameters = phases.parameters();
        long iterations = parameters.byDuration() ? 0 : parameters.iterations();
        long nanoseconds = TimeUnit.SECONDS.toNanos(parameters.seconds());
        return phases.prepare(size, iterations, nanoseconds, phases.settings().peak(), () -> {});
    }
}
