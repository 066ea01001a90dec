package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionProducer;
import io.verbena.soft.cq.CompletionView;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.local.PeerLane;
import io.verbena.soft.local.RingWriter;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.FieldHandle;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Retires requests of the local path in order, when the peer has executed them. Guarded by the queue pair's send lock,
/// which pollers of the send completion queue only try. Polling it costs little, and nothing while no request wants a
/// completion, so it never falls quiet.
final class LocalCompleter implements CompletionProducer {
    private static final VarHandle BUSY = FieldHandle.of(MethodHandles.lookup(), "busy", int.class);

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
    /// Whether a poll may find something: requests in flight want completions, or requests wait to be emitted. Read
    /// without the lock.
    private int busy;

    /// Requests in the queue that get a completion when they succeed.
    private int reporting;

    /// READs and atomics in flight; a fenced request waits for them.
    private int readsOut;
    /// The status of the request at [#failedAt], which fails once it is the oldest; null when none fails.
    private CompletionStatus failure;

    private long failedAt;
    /// The last piggybacked acknowledgement, in 32 bits.
    private int piggybackSeen;

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

    /// Counts again, after requests were retired elsewhere.
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
        piggybackSeen = responder.peerAcknowledged();
    }

    /// Updates whether a poll may find something.
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

    /// The request at that position fails when all before it are retired, which the engine's owner does. Always returns
    /// false.
    boolean fail(CompletionStatus status, long position) {
        failure = status;
        failedAt = position;
        path.wantEngine();
        return false;
    }

    boolean hasReadsOut() {
        return readsOut > 0;
    }

    /// Whether a reply is missing, even of a request that the peer claims to have executed.
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

    /// Reads how far the peer has executed. Replies are taken after that load and before it takes effect: the peer
    /// wrote them first.
    void refresh() {
        if (ring == null) {
            return;
        }
        long executed = lane.executed();
        int piggybacked = responder.peerAcknowledged();
        if (readsOut > 0 && !replies.take(requester.current())) {
            fail(replies.failure(), replies.position());
        }
        // Piggybacked positions have 32 bits. An old one would look new after a wrap-around, so only a changed one
        // counts.
        if (piggybacked != piggybackSeen) {
            piggybackSeen = piggybacked;
            ring.onConsumed(ring.consumed() + Math.max(0, piggybacked - (int) ring.consumed()));
        }
        ring.onConsumed(executed);
    }

    // ---- retiring ----

    /// Whether the peer has executed the oldest request.
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

    /// Retires executed requests, and adds their completions to the completion queue. By the engine's owner.
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

    /// Like [#retireDone], after a verdict: the peer has executed all entries before that position.
    void retireBefore(long position) {
        if (ring != null) {
            ring.onConsumed(position);
            retireDone();
        }
    }

    /// Retires executed requests without completion, which frees their slots. By posters.
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

    /// How far the peer is; equal values mean that it makes no progress.
    long progress() {
        return ring == null ? 0 : ring.consumed() + replies.consumed();
    }

    // ---- polling ----

    @Override
    public int take(CompletionView[] views, int limit, SoftCompletionQueue completionQueue) {
        if ((int) BUSY.getOpaque(this) == 0 || !lock.tryLock()) {
            return 0;
        }
        int made = 0;
        try {
            // Completions that the engine added to the queue meanwhile come first.
            boolean first = ring != null && !completionQueue.hasQueued();
            while (first && made < limit && take(views[made], true)) {
                made++;
            }
        } catch (RuntimeException e) {
            path.onFault(e);
        } finally {
            lock.unlock();
        }
        path.callEngineIfWanted();
        return made;
    }

    @Override
    public boolean queueNext(CompletionView view, SoftCompletionQueue completionQueue) {
        if ((int) BUSY.getOpaque(this) == 0 || !lock.tryLock()) {
            return false;
        }
        boolean made = false;
        boolean lost = false;
        try {
            made = ring != null && take(view, false);
            lost = made && !completionQueue.queue(queue, view);
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
}
