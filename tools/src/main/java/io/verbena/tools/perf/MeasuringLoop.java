package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.CompletionStatus;
import java.time.Duration;

/// The loop of one side that posts and polls. A run allocates nothing: requests, handlers and counters are made before
/// it begins.
abstract class MeasuringLoop {
    static final int BATCH = 16;
    /// A loop that always finds completions checks the peer and the clock once in this many turns.
    static final int CHECK_EVERY = 1 << 12;

    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

    final PerfEndpoint endpoint;
    final PeerWatch watch;
    final MeasuredQueuePair[] queuePairs;
    final CompletionQueue sendCq;
    final CompletionQueue receiveCq;
    final WorkCompletionHandler onSend = this::onSend;
    final WorkCompletionHandler onReceive = this::onReceive;
    private final CompletionChannel channel;

    /// Completions of send requests and of receives in this run.
    long sends;

    long receives;

    private CompletionStatus failure;
    private boolean failedReceive;

    MeasuringLoop(PerfEndpoint endpoint, PeerWatch watch) {
        this.endpoint = endpoint;
        this.watch = watch;
        this.queuePairs = endpoint.queuePairs().toArray(MeasuredQueuePair[]::new);
        this.sendCq = endpoint.sendCq();
        this.receiveCq = endpoint.receiveCq();
        this.channel = endpoint.channel();
    }

    /// What a run has to do.
    ///
    /// - `iterations`: messages of each queue pair; 0 for a timed run
    /// - `peerEnds`: the peer ends a timed run; else this side's clock does
    /// - `peak`: also find the peak bandwidth
    /// - `sendsDone`: called once this side has sent everything
    record Phase(int size, long iterations, long nanoseconds, boolean peerEnds, boolean peak, Runnable sendsDone) {
        boolean isTimed() {
            return iterations == 0;
        }

        long messagesOrEndless() {
            return isTimed() ? Long.MAX_VALUE : iterations;
        }
    }

    /// Makes the requests of a phase. Both sides do this, then pass a barrier, then [#run].
    void prepare(Phase phase) {
        for (MeasuredQueuePair queuePair : queuePairs) {
            queuePair.prepare(phase.size(), phase.messagesOrEndless());
        }
        sends = 0;
        receives = 0;
    }

    /// Runs the phase. Throws EINTR when it is stopped; [#result] then has what was measured so far.
    abstract void run(Phase phase);

    /// Number of messages done so far. Other threads may read it; they may see an old value.
    long done() {
        long all = 0;
        for (MeasuredQueuePair queuePair : queuePairs) {
            all += Math.max(queuePair.completed, queuePair.received);
        }
        return Math.max(all, sends);
    }

    /// The measured result, also of a run that was stopped.
    abstract PhaseResult result(boolean complete);

    /// Takes completions, or waits a moment when there are none. False when there were none and it is time to check the
    /// peer and the clock.
    final boolean pollSends(int limit) {
        return poll(sendCq, onSend, limit);
    }

    final boolean pollReceives(int limit) {
        return poll(receiveCq, onReceive, limit);
    }

    private boolean poll(CompletionQueue cq, WorkCompletionHandler handler, int limit) {
        if (cq.poll(handler, limit) > 0) {
            return found();
        }
        if (channel == null) {
            return !watch.idle();
        }
        cq.arm();
        // poll again: a completion from before the queue was armed makes no event
        return cq.poll(handler, limit) > 0 ? found() : sleep();
    }

    /// [#pollSends] and [#pollReceives] at once.
    final boolean pollBoth(int limit) {
        if (sendCq.poll(onSend, limit) + receiveCq.poll(onReceive, limit) > 0) {
            return found();
        }
        if (channel == null) {
            return !watch.idle();
        }
        sendCq.arm();
        receiveCq.arm();
        return sendCq.poll(onSend, limit) + receiveCq.poll(onReceive, limit) > 0 ? found() : sleep();
    }

    private boolean found() {
        watch.progress();
        if (failure != null) {
            fail();
        }
        return true;
    }

    private boolean sleep() {
        if (channel.await(CHECK_INTERVAL) == null) {
            watch.requireInTime();
        }
        return false;
    }

    /// Waits for the completions of that many send requests, which also come when the peer's program has ended.
    final void awaitSend(long wanted) {
        while (sends < wanted) {
            if (!pollSends(1)) {
                watch.checkPeer();
            }
        }
    }

    /// Waits for that many messages; false when the run ends first.
    final boolean awaitReceive(long wanted, Phase phase, long startNs) {
        while (receives < wanted) {
            if (!pollReceives(1) && isOver(phase, startNs)) {
                return false;
            }
        }
        return true;
    }

    /// Whether a timed run is over. Throws when the peer is gone. Too slow to be called in each turn.
    final boolean isOver(Phase phase, long startNs) {
        if (phase.isTimed() && phase.peerEnds()) {
            return watch.isPeerDone();
        }
        watch.checkPeer();
        return phase.isTimed() && System.nanoTime() - startNs > phase.nanoseconds();
    }

    /// As [#isOver], but checks only once in many turns.
    final boolean isOverInTurn(long turn, Phase phase, long startNs) {
        return (turn & CHECK_EVERY - 1) == 0 && isOver(phase, startNs);
    }

    /// Posts a request for a test that waits for each completion: there is room, since at most one is outstanding.
    final void post(MeasuredQueuePair queuePair) {
        if (!queuePair.postSignaled()) {
            throw new IllegalStateException("the send queue is full although nothing is outstanding");
        }
    }

    private void onSend(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            note(completion.status(), false);
        } else {
            queuePairs[(int) completion.wrId()].onCompletion();
        }
        sends++;
    }

    private void onReceive(WorkCompletion completion) {
        receives++;
        if (!completion.isSuccess()) {
            note(completion.status(), true);
            return;
        }
        MeasuredQueuePair queuePair = queuePairs[(int) completion.wrId()];
        queuePair.received++;
        queuePair.postReceive(); // there is room: this very receive was taken out
    }

    private void note(CompletionStatus status, boolean receive) {
        // keep the first status, which is the cause: the requests after it are only flushed
        if (failure == null || failure == CompletionStatus.WORK_REQUEST_FLUSHED) {
            failure = status;
            failedReceive = receive;
        }
    }

    private void fail() {
        watch.explainFailure();
        String what = failedReceive ? "a receive" : endpoint.parameters().test().verb() + " request";
        throw new ProgramException(what + " failed: " + failure.explain());
    }
}
