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
record PerftestPhases(
        PerfParameters parameters,
        PeerChannel channel,
        Handshake handshake,
        MeasuringLoop loop,
        SessionSettings settings,
        PhaseRunner phases) {
    void run() {
        PerfTest test = parameters.test();
        if (test == PerfTest.SEND_LAT) {
            sendLatency();
        } else if (test.isLatency()) {
            latency();
        } else if (test == PerfTest.SEND_BW) {
            sendBandwidth();
        } else if (parameters.bidirectional()) {
            bidirectionalBandwidth();
        } else {
            bandwidth();
        }
    }

    private void sendLatency() {
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            handshake.barrier();
            phases.report(phases.run(phase, true), null);
        }
        handshake.barrierAfterRun();
    }

    private void latency() {
        for (int size : parameters.sizes()) {
            phases.report(phases.run(prepare(size), true), null);
        }
        if (parameters.test().verb() != Verb.WRITE) {
            handshake.barrierAfterRun();
        }
    }

    private void sendBandwidth() {
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            handshake.barrier();
            PhaseResult result = phases.run(phase, true);
            boolean reports = parameters.bidirectional() && !parameters.byDuration();
            phases.report(result, reports ? report(result) : null);
            if (parameters.sizes().size() > 1) {
                handshake.barrierAfterRun();
            }
        }
        handshake.barrierAfterRun();
    }

    private void bandwidth() {
        PhaseResult last = null;
        for (int size : parameters.sizes()) {
            last = phases.run(prepare(size), true);
            phases.report(last, null);
        }
        handshake.barrierAfterRun();
        report(last);
        handshake.barrier();
    }

    private void bidirectionalBandwidth() {
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            handshake.barrier();
            PhaseResult result = phases.run(phase, true);
            if (parameters.sizes().size() > 1) {
                handshake.barrierAfterRun();
            }
            phases.report(result, report(result));
        }
        handshake.barrierAfterRun();
    }

    private PeerReport report(PhaseResult own) {
        return BandwidthReport.exchange(channel, own, settings.gigabits());
    }

    /// A C client ends a timed run with its next barrier; a C server uses its own clock.
    private Phase prepare(int size) {
        boolean peerEnds = !channel.isClient() && !parameters.bidirectional();
        long iterations = parameters.byDuration() ? 0 : parameters.iterations();
        long nanoseconds = TimeUnit.SECONDS.toNanos(parameters.seconds());
        var phase = new Phase(size, iterations, nanoseconds, peerEnds, settings.peak(), () -> {});
        loop.prepare(phase);
        return phase;
    }
}
