package io.verbena.bench.soak;

import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.CmEvent;

/// A connection of the survivor. The thread of the [SoakServer] calls `onEvent`, the thread of the turn all other
/// methods.
final class SurvivorConnection implements AutoCloseable {
    final Traffic traffic;
    private volatile boolean established;
    private volatile CmEvent end;

    SurvivorConnection(Traffic traffic) {
        this.traffic = traffic;
    }

    void onEvent(CmEvent event) {
        switch (event.type()) {
            case ESTABLISHED -> established = true;
            case TIMEWAIT_EXIT -> {}
            default -> end = event;
        }
    }

    boolean isEstablished() {
        return established;
    }

    /// Whether the connection manager reported the end.
    boolean hasEnded() {
        return end != null;
    }

    boolean isLive() {
        return established && end == null && traffic.failure() == null;
    }

    void step() {
        if (isLive()) {
            traffic.step();
        } else {
            traffic.poll();
        }
    }

    /// Whether the peer is gone and all posted requests have completed.
    ///
    /// @param noticed whether the path notices the end by itself; else a request must time out
    boolean isOver(boolean noticed) {
        traffic.poll();
        if (!established) {
            return end != null;
        }
        if (noticed) {
            return end != null && traffic.isIdle() && !traffic.hasReceives();
        }
        if (end == null && traffic.failure() == null && traffic.isIdle()) {
            traffic.send();
        }
        return (end != null || traffic.failure() != null) && traffic.isIdle();
    }

    /// Checks that there are only errors that a dead peer causes.
    void checkEnd() {
        CompletionStatus status = traffic.failure();
        if (status != null
                && status != CompletionStatus.RETRY_EXCEEDED
                && status != CompletionStatus.WORK_REQUEST_FLUSHED) {
            throw new SoakFailure("a peer that is gone gives " + status + ": " + this);
        }
        traffic.checkGuards();
    }

    /// Checks that all messages of a peer that disconnected have arrived.
    void checkDisconnected() {
        checkEnd();
        if (traffic.received() != traffic.quota()) {
            throw new SoakFailure("disconnected before all " + traffic.quota() + " messages came: " + this);
        }
    }

    @Override
    public String toString() {
        return traffic + (end == null ? established ? ", established" : ", accepted" : ", " + end.explain());
    }

    @Override
    public void close() {
        traffic.close();
    }
}
