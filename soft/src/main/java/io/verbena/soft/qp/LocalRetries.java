package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Timer;
import io.verbena.soft.event.SoftEvents;
import io.verbena.verbs.attr.CompletionStatus;

/// The retry timers of a local connection: how long a peer may make no progress, or have no receive, before the
/// connection fails. As on the network, the peer has one timeout and one more for each retry, and timeouts in a row
/// become longer. Owned by the engine.
final class LocalRetries {
    private static final int UNLIMITED = 7;

    private final LocalPath path;
    private final LocalRequester requester;
    private final QueuePairSettings settings;
    private final Engine engine;
    private final Timer standstill = Timer.running(this::onTimeout);
    private final Timer receiverNotReady = Timer.running(this::requestRetry);

    private int receiverRetriesLeft;
    private int retriesLeft;
    private int timeoutsInARow;
    private long progressSeen;
    /// The end of the newest entry when the timer was armed. Later entries have not waited for the whole timeout.
    private long tailSeen;

    LocalRetries(LocalPath path, LocalRequester requester) {
        this.path = path;
        this.requester = requester;
        this.settings = path.service.settings;
        this.engine = path.engine;
    }

    void reset() {
        receiverRetriesLeft = settings.rnrRetry;
        retriesLeft = settings.retryCount;
        timeoutsInARow = 0;
    }

    void stop() {
        engine.timers().cancel(standstill);
        engine.timers().cancel(receiverNotReady);
    }

    boolean isReceiverNotReady() {
        return receiverNotReady.isArmed();
    }

    private boolean noteProgress() {
        long progress = requester.completer().progress();
        boolean moved = progress != progressSeen;
        progressSeen = progress;
        if (moved) {
            reset();
        }
        return moved;
    }

    /// Arms the timer if entries wait for the peer and no timer runs.
    void armStandstillTimer(long nowNs) {
        long timeoutNs = settings.timeoutNs();
        boolean due = !receiverNotReady.isArmed() && !standstill.isArmed() && path.testLocked(requester::startsWaiting);
        if (due && timeoutNs > 0) {
            noteProgress();
            tailSeen = requester.tail();
            engine.timers().arm(standstill, nowNs + (timeoutNs << Math.min(timeoutsInARow, 2)));
        }
    }

    private void onTimeout(long nowNs) {
        if (!path.testLocked(() -> retry(nowNs))) {
            giveUp(CompletionStatus.RETRY_EXCEEDED);
        }
    }

    /// Waits once more if the peer has not executed all entries. False when no retry is left. Under the send lock.
    private boolean retry(long nowNs) {
        if (!requester.stillWaits()) {
            return true;
        }
        if (!noteProgress() && requester.isStuckAt(tailSeen)) {
            engine.counters().increment(Counter.ACK_TIMEOUTS);
            path.service.troubles.onTimeout();
            if (retriesLeft == 0) {
                return false;
            }
            retriesLeft--;
            timeoutsInARow++;
        }
        armStandstillTimer(nowNs);
        return true;
    }

    /// The peer has no receive. It retries after that time, unless no RNR retry is left.
    void onReceiverNotReady(long nowNs, long waitNs) {
        noteProgress();
        if (receiverRetriesLeft == 0) {
            giveUp(CompletionStatus.RNR_RETRY_EXCEEDED);
            return;
        }
        if (receiverRetriesLeft != UNLIMITED) {
            receiverRetriesLeft--;
        }
        SoftEvents.receiverNotReady(path.service, waitNs, receiverRetriesLeft);
        engine.timers().cancel(standstill);
        engine.timers().arm(receiverNotReady, nowNs + waitNs);
    }

    private void requestRetry(long nowNs) {
        path.requestRetry();
        armStandstillTimer(nowNs);
    }

    void giveUp(CompletionStatus status) {
        engine.counters().increment(Counter.RETRIES_EXCEEDED);
        path.fail(status);
    }
}
