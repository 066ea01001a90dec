package io.verbena.tools.perf;

import io.verbena.tools.perf.Loop.Phase;
import io.verbena.tools.perf.PerfTest.Verb;
import io.verbena.tools.perf.Result.PeerReport;
import java.util.concurrent.TimeUnit;

/// The measuring with a C peer: exactly the exchanges that its program makes, by test.
///
/// | test | for each size | at the end |
/// |---|---|---|
/// | send-lat | barrier, run | barrier |
/// | write-lat | run | |
/// | read-lat, atomic-lat | client: run | barrier |
/// | send-bw | barrier, run, [both ways and not by time: reports], [several sizes: barrier] | barrier |
/// | write-bw, read-bw, atomic-bw | client: run | barrier, reports, barrier |
/// | the same, both ways | barrier, run, [several sizes: barrier], reports | barrier |
final class PerftestPhases {
    private final PerfParameters parameters;
    private final PeerChannel channel;
    private final Handshake handshake;
    private final Loop loop;
    private final SessionSettings settings;
    private final Measuring measuring;

    PerftestPhases(
            PerfParameters parameters,
            PeerChannel channel,
            Handshake handshake,
            Loop loop,
            SessionSettings settings,
            Measuring measuring) {
        this.parameters = parameters;
        this.channel = channel;
        this.handshake = handshake;
        this.loop = loop;
        this.settings = settings;
        this.measuring = measuring;
    }

    void run() {
        PerfTest test = parameters.test();
        if (test == PerfTest.SEND_LAT) {
            sendLatency();
        } else if (test.isLatency()) {
            latency();
        } else if (test == PerfTest.SEND_BW) {
            sendBandwidth();
        } else if (parameters.bidirectional()) {
            bandwidthBothWays();
        } else {
            bandwidth();
        }
    }

    private void sendLatency() {
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            handshake.barrier();
            measuring.tell(measuring.run(phase, true), null);
        }
        handshake.barrierAfterRun();
    }

    private void latency() {
        for (int size : parameters.sizes()) {
            measuring.tell(measuring.run(prepare(size), true), null);
        }
        if (parameters.test().verb() != Verb.WRITE) {
            handshake.barrierAfterRun();
        }
    }

    private void sendBandwidth() {
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            handshake.barrier();
            Result result = measuring.run(phase, true);
            boolean reports = parameters.bidirectional() && !parameters.byDuration();
            measuring.tell(result, reports ? report(result) : null);
            if (parameters.sizes().size() > 1) {
                handshake.barrierAfterRun();
            }
        }
        handshake.barrierAfterRun();
    }

    private void bandwidth() {
        Result last = null;
        for (int size : parameters.sizes()) {
            last = measuring.run(prepare(size), true);
            measuring.tell(last, null);
        }
        handshake.barrierAfterRun();
        report(last);
        handshake.barrier();
    }

    private void bandwidthBothWays() {
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            handshake.barrier();
            Result result = measuring.run(phase, true);
            if (parameters.sizes().size() > 1) {
                handshake.barrierAfterRun();
            }
            measuring.tell(result, report(result));
        }
        handshake.barrierAfterRun();
    }

    private PeerReport report(Result own) {
        return BandwidthReport.exchange(channel, own, settings.gigabits());
    }

    /// With a C client the end of a run by time shows by its next barrier; C servers have clocks of their own.
    private Phase prepare(int size) {
        boolean peerEnds = !channel.isClient() && !parameters.bidirectional();
        long iterations = parameters.byDuration() ? 0 : parameters.iterations();
        long nanoseconds = TimeUnit.SECONDS.toNanos(parameters.seconds());
        var phase = new Phase(size, iterations, nanoseconds, peerEnds, settings.peak(), () -> {});
        loop.prepare(phase);
        return phase;
    }
}
