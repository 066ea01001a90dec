package io.verbena.tools.perf;

import io.verbena.tools.perf.Loop.Phase;
import io.verbena.tools.perf.PerfTest.Verb;
import io.verbena.tools.perf.Result.PeerReport;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
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
    private final PerfListener listener;
    private final UsageMeter meter = new UsageMeter();

    PerftestPhases(
            PerfParameters parameters,
            PeerChannel channel,
            Handshake handshake,
            Loop loop,
            SessionSettings settings,
            PerfListener listener) {
        this.parameters = parameters;
        this.channel = channel;
        this.handshake = handshake;
        this.loop = loop;
        this.settings = settings;
        this.listener = listener;
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
            tell(measure(phase), null);
        }
        handshake.barrierAfterRun();
    }

    private void latency() {
        for (int size : parameters.sizes()) {
            tell(measure(prepare(size)), null);
        }
        if (parameters.test().verb() != Verb.WRITE) {
            handshake.barrierAfterRun();
        }
    }

    private void sendBandwidth() {
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            handshake.barrier();
            Result result = measure(phase);
            boolean reports = parameters.bidirectional() && !parameters.byDuration();
            tell(result, reports ? report(result) : null);
            if (parameters.sizes().size() > 1) {
                handshake.barrierAfterRun();
            }
        }
        handshake.barrierAfterRun();
    }

    private void bandwidth() {
        Result last = null;
        for (int size : parameters.sizes()) {
            last = measure(prepare(size));
            tell(last, null);
        }
        handshake.barrierAfterRun();
        report(last);
        handshake.barrier();
    }

    private void bandwidthBothWays() {
        for (int size : parameters.sizes()) {
            Phase phase = prepare(size);
            handshake.barrier();
            Result result = measure(phase);
            if (parameters.sizes().size() > 1) {
                handshake.barrierAfterRun();
            }
            tell(result, report(result));
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

    private Result measure(Phase phase) {
        meter.start();
        try {
            loop.run(phase);
        } catch (StoppedException e) {
            tell(loop.result(false), null);
            throw e;
        } catch (RdmaException e) {
            if (e.errno() == Errno.EINTR) {
                tell(loop.result(false), null);
                throw new StoppedException();
            }
            throw e;
        } finally {
            meter.stop();
        }
        return loop.result(true);
    }

    /// Servers of one-way tests have nothing to tell.
    private void tell(Result result, PeerReport peer) {
        if (channel.isClient() || parameters.bidirectional()) {
            listener.measured(result.with(peer, meter.usage(result.messages())));
        }
    }
}
