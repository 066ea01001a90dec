package io.verbena.tools.perf;

/// Keeps so many requests outstanding on each queue pair until all are complete: the sending side of bandwidth
/// tests. In a bidirectional SEND test it takes the peer's messages in the same turn.
final class Stream extends Loop {
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
    /// @param drains whether at the end of a run by time the peer still takes what is on its way
    Stream(Endpoint endpoint, Watch watch, boolean receiving, boolean afterFirst, boolean drains) {
        super(endpoint, watch);
        this.receiving = receiving;
        this.afterFirst = afterFirst;
        this.drains = drains;
    }

    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        size = phase.size();
        long messages = phase.iterations() * lanes.length;
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
            for (Lane lane : lanes) {
                fill(lane);
                done &= lane.isDone();
            }
            if (done || !take(phase, turn)) {
                return;
            }
        }
    }

    private void fill(Lane lane) {
        while (lane.mayPost()) {
            if (withPeak) {
                long before = lane.posted;
                long now = System.nanoTime();
                if (!lane.postNext()) {
                    return;
                }
                peak.onPost(now, (int) (lane.posted - before));
            } else if (!lane.postNext()) {
                return;
            }
        }
    }

    /// One look at the queues; false when the run is over.
    private boolean take(Phase phase, long turn) {
        long before = sends;
        boolean some = receiving ? pollBoth(BATCH) : pollSends(BATCH);
        if (withPeak && sends > before) {
            peak.onCompletion(System.nanoTime(), completed());
        }
        if (!some || (turn & LOOK_EVERY - 1) == 0) {
            watch.look();
        }
        return !phase.isTimed() || ending || !isTimeUp(phase);
    }

    /// In a run by time: the last requests are posted up to the next signaled one, so that all are accounted
    /// for. A C peer stops taking messages by its own clock: what is on its way then is left alone.
    private boolean isTimeUp(Phase phase) {
        if (System.nanoTime() - startNs < phase.nanoseconds()) {
            return false;
        }
        ending = true;
        for (Lane lane : lanes) {
            lane.endSoon();
        }
        return !drains;
    }

    private void receiveRest(Phase phase) {
        long wanted = phase.isTimed() ? Long.MAX_VALUE : phase.iterations() * lanes.length;
        while (receives < wanted && !(phase.isTimed() && isPeerDone())) {
            if (!pollReceives(BATCH)) {
                watch.look();
            }
        }
        while (receiveCq.poll(onReceive, BATCH) > 0) {} // what came with the peer's last word
    }

    /// In a run by time. A C peer does not say so: its clock is ours.
    private boolean isPeerDone() {
        return !drains || watch.isPeerDone();
    }

    private long completed() {
        long all = 0;
        for (Lane lane : lanes) {
            all += lane.completed;
        }
        return all;
    }

    @Override
    Result result(boolean complete) {
        long end = complete ? endNs : System.nanoTime();
        return new Result(
                size, completed(), end - startNs, null, withPeak && complete ? peak.bytesPerSecond(size) : 0, complete);
    }
}
