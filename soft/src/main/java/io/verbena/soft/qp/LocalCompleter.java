package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionProducer;
import io.verbena.soft.cq.CompletionView;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.local.PeerLane;
import io.verbena.soft.local.RingWriter;
import io.verbena.soft.os.BiasedLock;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Retires requests of the local path in order, when the peer is through with them. Guarded by the queue pair's send
/// lock, which pollers of the send completion queue only try.
final class LocalCompleter implements CompletionProducer {
    private static final VarHandle BUSY;

    static {
        try {
            BUSY = MethodHandles.lookup().findVarHandle(LocalCompleter.class, "busy", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LocalPath path;
    private final TransportService service;
    private final LocalRequester requester;
    private final LocalResponder responder;
    private final BiasedLock lock;
    private final SendQueue queue;
    private final Completions completions;
    private final LocalReplies replies;
    private final int qpNumber;

    private PeerLane lane;
    private RingWriter ring;
    /// Whether a poll may find something: requests that report are out, or others wait. Read without the lock.
    private int busy;

    /// Requests in the queue that report when they succeed.
    private int reporting;

    /// Requests that went out, bring an answer, and are not retired; a fenced request waits for them.
    private int readsOut;
    /// Why a request fails once it is the oldest; null while all is well.
    private CompletionStatus failure;

    private long failedAt;
    /// The last acknowledgement that came with a message, in 32 bits.
    private int alongSeen;

    LocalCompleter(LocalPath path, LocalRequester requester, LocalResponder responder) {
        this.path = path;
        this.service = path.service;
        this.requester = requester;
        this.responder = responder;
        this.lock = service.qp.sendLock();
        this.queue = service.sends;
        this.completions = service.completions;
        this.replies = new LocalReplies(service, queue);
        this.qpNumber = service.qp.number();
    }

    void start() {
        readsOut = 0;
        failure = null;
        countReporting();
    }

    /// Counts anew, when requests were retired elsewhere.
    void countReporting() {
        reporting = 0;
        for (long position = queue.head(); position < queue.tail(); position++) {
            reporting += completions.wants(queue.flags(position)) ? 1 : 0;
        }
        update();
    }

    void attach(PeerLane to) {
        lane = to;
        ring = to.requests();
        replies.attach(to);
        alongSeen = responder.acknowledged();
    }

    /// Whether somebody must look here may have changed.
    void update() {
        boolean waits = reporting > 0 || requester.current() < queue.tail();
        BUSY.setOpaque(this, waits || service.state() == QueuePairState.SQD ? 1 : 0);
    }

    void stop() {
        lane = null;
        ring = null;
    }

    // ---- what the requester asks ----

    boolean isWell() {
        return failure == null;
    }

    /// The request at that position fails when all before it are retired; the engine sees to it. Always false.
    boolean fail(CompletionStatus status, long position) {
        failure = status;
        failedAt = position;
        path.wantEngine();
        return false;
    }

    boolean hasReadsOut() {
        return readsOut > 0;
    }

    /// Whether an answer is not there: also of a request that the peer claims to be through with.
    boolean lacksAnswers() {
        return readsOut > 0 && replies.isAnyExpected(requester.current());
    }

    boolean mayRead() {
        return readsOut < service.settings.maxReadAtomic;
    }

    void onReadOut() {
        readsOut++;
    }

    /// A request with these flags was posted.
    void onPosted(int flags, boolean waits) {
        boolean reports = completions.wants(flags);
        reporting += reports ? 1 : 0;
        if (reports || waits) {
            BUSY.setOpaque(this, 1);
        }
    }

    /// Learns how far the peer is. Answers are taken before: they were there when the peer said so.
    void refresh() {
        if (ring == null) {
            return;
        }
        long told = lane.executed();
        int along = responder.acknowledged();
        if (readsOut > 0 && !replies.take(requester.current())) {
            fail(replies.failure(), replies.position());
        }
        // Positions travel in 32 bits: an old one would look like a new one after a while.
        if (along != alongSeen) {
            alongSeen = along;
            ring.consumed(ring.consumed() + Math.max(0, along - (int) ring.consumed()));
        }
        ring.consumed(told);
    }

    // ---- retiring ----

    /// Whether the peer is through with the oldest request.
    private boolean isHeadDone() {
        long head = queue.head();
        return head < requester.current()
                && queue.end(head) <= ring.consumed()
                && (readsOut == 0 || !replies.isExpected(head));
    }

    private boolean headReports() {
        return completions.wants(queue.flags(queue.head()));
    }

    private void retire(boolean reports) {
        long head = queue.head();
        if (readsOut > 0 && queue.wentOut(head) && RcOpcodes.takesCredit(queue.operation(head))) {
            readsOut--;
        }
        reporting -= reports ? 1 : 0;
        queue.retire();
    }

    /// Retires what is done into the completion queue's ring. By the engine's owner.
    void retireDone() {
        if (ring == null) {
            return;
        }
        refresh();
        while (isHeadDone()) {
            boolean reports = headReports();
            if (reports) {
                completions.report(queue.head(), CompletionStatus.SUCCESS);
                if (ring == null) {
                    return; // the completion queue is full, which ended the connection
                }
            }
            retire(reports);
        }
        service.onSendProgress();
    }

    /// As [#retireDone], with the word of a verdict that the peer is through up to that position.
    void retireBefore(long position) {
        if (ring != null) {
            ring.consumed(position);
            retireDone();
        }
    }

    /// Retires what reports nothing, so that its places are free. By posters.
    void retireUnreported() {
        if (ring == null) {
            return;
        }
        refresh();
        while (isHeadDone() && !headReports()) {
            retire(false);
        }
    }

    /// The status with which the oldest request fails; null when it does not.
    CompletionStatus failureOfHead() {
        return failure != null && queue.head() == failedAt ? failure : null;
    }

    /// How far the peer is, as a sign of life; equal values mean that it stands still.
    long progress() {
        return ring == null ? 0 : ring.consumed() + replies.consumed();
    }

    // ---- polling ----

    @Override
    public boolean next(CompletionView view, SoftCompletionQueue completionQueue, boolean direct) {
        if ((int) BUSY.getOpaque(this) == 0 || !lock.tryLock()) {
            return false;
        }
        boolean made = false;
        boolean lost = false;
        try {
            // Completions that the engine queued meanwhile come first.
            made = ring != null && (!direct || !completionQueue.hasQueued()) && take(view, direct);
            lost = made && !direct && !completionQueue.queue(queue, view);
            if (lost) {
                queue.onLost();
            }
        } catch (RuntimeException e) {
            path.onFault(e);
        } finally {
            lock.unlock();
        }
        if (lost) {
            service.loseCompletion();
        }
        path.callEngineIfWanted();
        return made;
    }

    private boolean take(CompletionView view, boolean direct) {
        if (!isHeadDone()) {
            refresh();
        }
        boolean made = false;
        while (!made && isHeadDone()) {
            long head = queue.head();
            made = headReports();
            if (made) {
                view.set(
                        queue.wrId(head),
                        CompletionStatus.SUCCESS,
                        queue.operation(head).completion(),
                        qpNumber,
                        queue.length(head));
                if (!direct) {
                    queue.onReported();
                }
            }
            retire(made);
        }
        requester.emit();
        update();
        if (failure != null || service.state() == QueuePairState.SQD) {
            path.wantEngine();
        }
        return made;
    }

    @Override
    public boolean hasNext() {
        if ((int) BUSY.getOpaque(this) == 0) {
            return false;
        }
        if (!lock.tryLock()) {
            return true;
        }
        try {
            refresh();
            return ring != null && (isHeadDone() || failureOfHead() != null || requester.hasNewRoom());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void publishExecuted() {}

    /// Looking here costs little, and nothing while no request reports.
    @Override
    public boolean askForNews() {
        return false;
    }

    @Override
    public boolean fallQuiet() {
        return false;
    }

    @Override
    public void listen() {}
}
