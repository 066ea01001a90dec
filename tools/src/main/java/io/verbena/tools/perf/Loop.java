package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionHandler;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import java.time.Duration;

/// The part of a test that posts and polls, for one side. Runs allocate nothing: requests, handlers and
/// counters are there before they begin.
abstract class Loop {
    static final int BATCH = 16;
    /// A loop that always finds something looks at more than the queues once in so many turns.
    static final int LOOK_EVERY = 1 << 12;

    private static final Duration LOOK = Duration.ofMillis(100);

    final Endpoint endpoint;
    final Watch watch;
    final Lane[] lanes;
    final CompletionQueue sendCq;
    final CompletionQueue receiveCq;
    final CompletionHandler onSend = this::onSend;
    final CompletionHandler onReceive = this::onReceive;
    private final CompletionChannel channel;

    /// Completions of send requests and of receives in this run.
    long sends;

    long receives;

    private CompletionStatus failure;
    private boolean failedReceive;

    Loop(Endpoint endpoint, Watch watch) {
        this.endpoint = endpoint;
        this.watch = watch;
        this.lanes = endpoint.lanes().toArray(Lane[]::new);
        this.sendCq = endpoint.sendCq();
        this.receiveCq = endpoint.receiveCq();
        this.channel = endpoint.channel();
    }

    /// What a run is to do.
    ///
    /// - `iterations`: messages of each queue pair; 0 when `nanoseconds` says how long
    /// - `peerEnds`: a run by time ends when the peer says so; else this side's clock counts
    /// - `peak`: find the best window of a stream, too
    /// - `sendsDone`: called once this side has sent everything
    record Phase(int size, long iterations, long nanoseconds, boolean peerEnds, boolean peak, Runnable sendsDone) {
        boolean isTimed() {
            return iterations == 0;
        }

        long messagesOrEndless() {
            return isTimed() ? Long.MAX_VALUE : iterations;
        }
    }

    /// Makes the requests of a phase. Both sides do, then they say so to each other, then they [#run].
    void prepare(Phase phase) {
        for (Lane lane : lanes) {
            lane.prepare(phase.size(), phase.messagesOrEndless());
        }
        sends = 0;
        receives = 0;
    }

    /// Carries it out. Throws [StoppedException] when it was stopped; [#result] then tells what is done.
    abstract void run(Phase phase);

    /// How many messages this side is through with; other threads may look, and see a number that is a little
    /// old.
    long done() {
        long all = 0;
        for (Lane lane : lanes) {
            all += Math.max(lane.completed, lane.received);
        }
        return Math.max(all, sends);
    }

    /// What was measured, also when the run was stopped half-way.
    abstract Result result(boolean complete);

    /// Takes completions, or rests when there are none. False when there were none and it is time to look at
    /// more than queues.
    final boolean pollSends(int limit) {
        return poll(sendCq, onSend, limit);
    }

    final boolean pollReceives(int limit) {
        return poll(receiveCq, onReceive, limit);
    }

    private boolean poll(CompletionQueue cq, CompletionHandler handler, int limit) {
        if (cq.poll(handler, limit) > 0) {
            return found();
        }
        if (channel == null) {
            return !watch.idle();
        }
        cq.arm();
        // once more: what came before the queue was armed makes no event
        return cq.poll(handler, limit) > 0 ? found() : sleep();
    }

    /// As [#pollSends] and [#pollReceives] at once, for who waits for either.
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
        if (channel.await(LOOK) == null) {
            watch.requireInTime();
        }
        return false;
    }

    /// Waits for completions of that many send requests. They come also when the peer's program is done.
    final void awaitSend(long wanted) {
        while (sends < wanted) {
            if (!pollSends(1)) {
                watch.look();
            }
        }
    }

    /// Waits for that many messages; false when the run is over before that.
    final boolean awaitReceive(long wanted, Phase phase, long startNs) {
        while (receives < wanted) {
            if (!pollReceives(1) && isOver(phase, startNs)) {
                return false;
            }
        }
        return true;
    }

    /// Whether a run by time has come to its end. To be asked now and then only; throws when the peer is gone.
    final boolean isOver(Phase phase, long startNs) {
        if (phase.isTimed() && phase.peerEnds()) {
            return watch.isPeerDone();
        }
        watch.look();
        return phase.isTimed() && System.nanoTime() - startNs > phase.nanoseconds();
    }

    /// As [#isOver], once in many turns.
    final boolean isOverNow(long turn, Phase phase, long startNs) {
        return (turn & LOOK_EVERY - 1) == 0 && isOver(phase, startNs);
    }

    /// Posts for who waits for each completion: there is room, as at most one is outstanding.
    final void post(Lane lane) {
        if (!lane.postSignaled()) {
            throw new IllegalStateException("the send queue is full although nothing is outstanding");
        }
    }

    private void onSend(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            note(completion.status(), false);
        } else {
            lanes[(int) completion.wrId()].onCompletion();
        }
        sends++;
    }

    private void onReceive(WorkCompletion completion) {
        receives++;
        if (!completion.isSuccess()) {
            note(completion.status(), true);
            return;
        }
        Lane lane = lanes[(int) completion.wrId()];
        lane.received++;
        lane.postReceive(); // there is room: this very receive was taken out
    }

    private void note(CompletionStatus status, boolean receive) {
        // the first one tells the cause, the others are only flushed
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
