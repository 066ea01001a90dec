package io.verbena.tools.perf;

/// The sending side of bandwidth tests: keeps `txDepth` requests outstanding on each queue pair until all are complete.
/// In a bidirectional SEND test it also takes the peer's messages.
final class BandwidthSender extends MeasuringLoop {
    private final boolean receiving;
    private final boolean afterFirst;
    private final boolean drains;
    private final PeakWindow peak = new PeakWindow();
    private int size;
    private boolean withPeak;
    private long startNs;
    private long endNs;
    private boolean ending;

    /// @param receiving whether the peer sends, too
    /// @param afterFirst whether to wait for the peer's first message, as servers do in bidirectional tests
    /// @param drains whether the peer still receives the messages in flight when a timed run ends
    BandwidthSender(PerfEndpoint endpoint, PeerWatch watch, boolean receiving, boolean afterFirst, boolean drains) {
        super(endpoint, watch);
        this.receiving = receiving;
        this.afterFirst = afterFirst;
        this.drains = drains;
    }

    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        size = phase.size();
        long messages = phase.iterations() * queuePairs.length;
        withPeak = phase.peak() && messages <= PeakWindow.MOST_MESSAGES && !phase.isTimed();
        peak.restart(withPeak ? (int) messages : 0);
        ending = false;
    }

    @Override
    void run(Phase phase) {
        startNs = System.nanoTime();
        endNs = startNs;
        boolean begins = !afterFirst || awaitReceive(1, phase, startNs);
        if (begins) {
            startNs = System.nanoTime();
            send(phase);
        }
        endNs = System.nanoTime();
        phase.sendsDone().run();
        if (receiving) {
            receiveRest(phase);
        }
    }

    private void send(Phase phase) {
        for (long turn = 1; ; turn++) {
            boolean done = true;
            for (MeasuredQueuePair queuePair : queuePairs) {
                fill(queuePair);
                done &= queuePair.isDone();
            }
            if (done || !take(phase, turn)) {
                return;
            }
        }
    }

    private void fill(MeasuredQueuePair queuePair) {
        while (queuePair.mayPost()) {
            if (withPeak) {
                long before = queuePair.posted;
                long now = System.nanoTime();
                if (!queuePair.postNext()) {
                    return;
                }
                peak.onPost(now, (int) (queuePair.posted - before));
            } else if (!queuePair.postNext()) {
                return;
            }
        }
    }

    /// Polls the queues once; false when the run is over.
    private boolean take(Phase phase, long turn) {
        long before = sends;
        boolean some = receiving ? pollBoth(BATCH) : pollSends(BATCH);
        if (withPeak && sends > before) {
            peak.onCompletion(System.nanoTime(), completed());
        }
        if (!some || (turn & CHECK_EVERY - 1) == 0) {
            watch.checkPeer();
        }
        return !phase.isTimed() || ending || !isTimeUp(phase);
    }

    /// At the end of a timed run the last requests are posted up to the next signaled one, so that all are counted. A C
    /// peer stops receiving by its own clock: requests that are in flight then are left alone.
    private boolean isTimeUp(Phase phase) {
        if (System.nanoTime() - startNs < phase.nanoseconds()) {
            return false;
        }
        ending = true;
        for (MeasuredQueuePair queuePair : queuePairs) {
            queuePair.endSoon();
        }
        return !drains;
    }

    private void receiveRest(Phase phase) {
        long wanted = phase.isTimed() ? Long.MAX_VALUE : phase.iterations() * queuePairs.length;
        while (receives < wanted && !(phase.isTimed() && isPeerDone())) {
            if (!pollReceives(BATCH)) {
                watch.checkPeer();
            }
        }
        while (receiveCq.poll(onReceive, BATCH) > 0) {} // what came with the peer's last word
    }

    /// Whether the peer has ended a timed run. A C peer does not say so: the run ends by this side's clock.
    private boolean isPeerDone() {
        return !drains || watch.isPeerDone();
    }

    private long completed() {
        long all = 0;
        for (MeasuredQueuePair queuePair : queuePairs) {
            all += queuePair.completed;
        }
        return all;
    }

    @Override
    PhaseResult result(boolean complete) {
        long end = complete ? endNs : System.nanoTime();
        return new PhaseResult(
                size, completed(), end - startNs, null, withPeak && complete ? peak.bytesPerSecond(size) : 0, complete);
    }
}
