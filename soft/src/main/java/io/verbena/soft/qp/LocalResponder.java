package io.verbena.soft.qp;

import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.cq.CompletionProducer;
import io.verbena.soft.cq.CompletionView;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.event.SoftEvents;
import io.verbena.soft.local.LanePair;
import io.verbena.soft.local.OwnLane;
import io.verbena.soft.local.RingReader;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.FieldHandle;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Takes the peer's requests out of this side's lane, in order: matches receives, executes, and acknowledges. Guarded
/// by its lock, which pollers of the receive completion queue and the engine's owner only try. It shares two words with
/// the requester of this side: the requester piggybacks `executed` on its messages, and reads the acknowledgements
/// piggybacked on the peer's messages.
final class LocalResponder implements CompletionProducer {
    private static final VarHandle EXECUTED = FieldHandle.of(MethodHandles.lookup(), "executed", long.class);
    private static final VarHandle PEER_ACKNOWLEDGED =
            FieldHandle.of(MethodHandles.lookup(), "peerAcknowledged", int.class);
    private static final VarHandle ACKNOWLEDGED = FieldHandle.of(MethodHandles.lookup(), "acknowledged", long.class);

    /// The most entries without a completion that one call takes, so that a poll returns soon. Each [#BYTES_AS_ENTRY]
    /// bytes count as one entry more.
    private static final int BUDGET = 32;

    private static final int BYTES_AS_ENTRY = 1 << 16;
    /// An acknowledgement is published after this many entries, or this many bytes.
    private static final int ACKNOWLEDGE_EVERY = 16;

    private static final int ACKNOWLEDGE_BYTES = 16 << 10;
    /// Empty polls after which an acknowledgement is published that was not piggybacked; and one that was, because the
    /// message may stay unread.
    private static final int ACKNOWLEDGE_AFTER_POLLS = 8;

    private static final int REPEAT_AFTER_POLLS = 64;

    final BiasedLock lock = new BiasedLock();
    private final LocalPath path;
    private final int qpNumber;
    private final CurrentReceive receive;
    private final EntryExecutor executor;
    private OwnLane lane;
    private LanePair lanes;
    private RingReader requests;
    private boolean open;
    private boolean heard;
    private boolean asked;

    /// Ring position before which all is executed; written here, read by the requester.
    private long executed;
    /// The acknowledgement piggybacked on the peer's last message; written here, read by the requester.
    private int peerAcknowledged;
    /// The position up to which this side has acknowledged, published or piggybacked by the requester.
    private long acknowledged;

    private long published;
    private int unacknowledged;
    private int unacknowledgedBytes;
    private int idle;
    private boolean notReady;
    /// Whether the oldest entry waits for the peer, and how many replies the peer had consumed then.
    private boolean waits;

    private long waitsAt;
    private boolean firstSeen;
    /// Why the responder has stopped; null while it has not.
    private Verdict failure;

    LocalResponder(LocalPath path) {
        this.path = path;
        this.qpNumber = path.service.qp.number();
        this.receive = path.service.receive;
        this.executor = new EntryExecutor(path.service);
    }

    void start(LanePair with) {
        lock.lock();
        try {
            lanes = with;
            lane = with.ownLane();
            requests = lane.requests();
            executor.start(with);
            executed = 0;
            peerAcknowledged = 0;
            acknowledged = 0;
            published = 0;
            unacknowledged = 0;
            unacknowledgedBytes = 0;
            idle = 0;
            notReady = false;
            waits = false;
            firstSeen = false;
            failure = null;
            heard = true;
            open = true;
        } finally {
            lock.unlock();
        }
    }

    /// Stops serving requests. When this returns, no thread accesses the lane.
    void stop() {
        lock.lock();
        try {
            open = false;
            lane = null;
            requests = null;
            executor.stop();
        } finally {
            lock.unlock();
        }
    }

    // ---- what the requester reads ----

    long executed() {
        return (long) EXECUTED.getOpaque(this);
    }

    /// The requester has piggybacked an acknowledgement up to that position.
    void onPiggybacked(long position) {
        ACKNOWLEDGED.setOpaque(this, position);
    }

    int peerAcknowledged() {
        return (int) PEER_ACKNOWLEDGED.getOpaque(this);
    }

    // ---- what the engine's owner asks ----

    /// Whether a request has arrived.
    boolean hasSeenRequest() {
        return firstSeen;
    }

    /// Bytes copied out of the peer's memory so far.
    long fetchedBytes() {
        return executor.fetchedInAll();
    }

    /// Why the responder has stopped; null while it has not.
    Verdict failure() {
        return failure;
    }

    // ---- taking ----

    @Override
    public boolean next(CompletionView view, SoftCompletionQueue queue, boolean direct) {
        if (!lock.tryLock()) {
            return false;
        }
        boolean made = false;
        boolean lost = false;
        try {
            // Completions that the engine added to the queue meanwhile come first.
            made = open && (!direct || !queue.hasQueued()) && take(view, direct);
            lost = made && !direct && !queue.queue(receive.source(), view);
            if (lost) {
                receive.onLost();
            }
        } catch (RuntimeException e) {
            path.onFault(e);
        } finally {
            lock.unlock();
        }
        if (lost) {
            path.service.loseCompletion();
        }
        path.callEngineIfWanted();
        return made;
    }

    @Override
    public boolean hasNext() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            return open && mayContinue();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isBusy() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            return open && (published != executed || mayContinue());
        } finally {
            lock.unlock();
        }
    }

    private boolean mayContinue() {
        return !isStuck() && requests.next();
    }

    /// Whether the oldest entry cannot continue before the peer does something.
    private boolean isStuck() {
        return notReady && !lane.isRetryRequested() || waits && lane.repliesConsumed() == waitsAt;
    }

    private boolean take(CompletionView view, boolean direct) {
        for (int budget = BUDGET; budget > 0; budget -= 1 + executor.bytes() / BYTES_AS_ENTRY) {
            if (!requests.next()) {
                onEmpty();
                return false;
            }
            heard = true;
            idle = 0;
            if (notReady && !tryResume()) {
                return false;
            }
            int piggybacked = requests.acknowledgement();
            if (piggybacked != 0) {
                PEER_ACKNOWLEDGED.setOpaque(this, piggybacked);
            }
            waits = false;
            Verdict verdict = executor.execute(requests, view);
            if (verdict == Verdict.OK) {
                onExecuted();
                if (executor.completes()) {
                    endReceive(direct);
                    return true;
                }
            } else if (verdict == null) {
                waits = true;
                waitsAt = lane.repliesConsumed();
                if (lanes.peerLane() == null) {
                    path.wantEngine();
                }
                return false; // goes on when the peer has taken answers, or the engine has found its lane
            } else if (verdict == Verdict.UNFINISHED) {
                return false; // goes on with the next poll
            } else if (verdict == Verdict.RECEIVER_NOT_READY) {
                onNotReady();
                return false;
            } else {
                return fail(verdict, view, direct);
            }
        }
        return false;
    }

    private void onExecuted() {
        requests.consume(executor.cells());
        EXECUTED.setOpaque(this, requests.head());
        unacknowledgedBytes += executor.bytes();
        if (++unacknowledged >= ACKNOWLEDGE_EVERY || unacknowledgedBytes >= ACKNOWLEDGE_BYTES) {
            acknowledge();
        }
        if (!firstSeen) {
            firstSeen = true;
            path.wantEngine();
        }
    }

    private void endReceive(boolean direct) {
        if (direct) {
            receive.onTaken();
        } else {
            receive.onReported();
        }
    }

    /// Publishes the acknowledgement after some empty polls: soon if it was not piggybacked, later if it was.
    private void onEmpty() {
        if (executed != requests.head()) {
            EXECUTED.setOpaque(this, requests.head()); // the rest of the ring was skipped
        }
        if (published == executed) {
            return;
        }
        idle++;
        if (idle >= REPEAT_AFTER_POLLS
                || idle >= ACKNOWLEDGE_AFTER_POLLS && (long) ACKNOWLEDGED.getOpaque(this) != executed) {
            acknowledge();
        }
    }

    private void acknowledge() {
        unacknowledged = 0;
        unacknowledgedBytes = 0;
        idle = 0;
        published = executed;
        ACKNOWLEDGED.setOpaque(this, executed);
        lane.publishExecuted(executed);
        if (lane.isAttached()) {
            lanes.peer().wakeRequester(lane.sendQueueSlot());
        }
    }

    @Override
    public void publishExecuted() {
        if (published != executed && lock.tryLock()) {
            try {
                if (open && published != executed) {
                    acknowledge();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// No receive is posted. The entry stays in the ring until the requester's RNR timer expires and it requests a
    /// retry.
    private void onNotReady() {
        notReady = true;
        path.engine.counters().incrementAtomically(Counter.RNR_NAKS_SENT);
        SoftEvents.noReceive(path.service);
        path.service.troubles.onRnrSent();
        acknowledge();
        lane.publishVerdict(requests.head(), Syndrome.rnrNak(path.service.settings.minRnrTimer));
        lanes.notifyPeer();
    }

    private boolean tryResume() {
        notReady = !lane.isRetryRequested();
        return !notReady;
    }

    /// Ends the connection: completes the current receive with the error, publishes the verdict, and makes the engine
    /// flush the rest.
    private boolean fail(Verdict verdict, CompletionView view, boolean direct) {
        open = false;
        failure = verdict;
        acknowledge();
        if (verdict != Verdict.KEY_NOT_REVOCABLE) {
            lane.publishVerdict(requests.head(), verdict.syndrome());
            lanes.notifyPeer();
        }
        path.wantEngine();
        if (!executor.usesReceive() || verdict.receiveStatus() == CompletionStatus.WORK_REQUEST_FLUSHED) {
            return false;
        }
        SoftEvents.errorCompletion(
                path.service, receive.wrId(), CompletionOpcode.RECEIVE.name(), 0, verdict.receiveStatus());
        view.set(receive.wrId(), verdict.receiveStatus(), CompletionOpcode.RECEIVE, qpNumber, 0);
        endReceive(direct);
        return true;
    }

    // ---- quiet lanes ----

    @Override
    public boolean askForNews() {
        lock.lock();
        try {
            asked = open && !heard;
            heard = false;
            if (asked) {
                lane.requestNews(true);
            }
            return asked;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean fallQuiet() {
        lock.lock();
        try {
            if (asked && open && requests.next()) {
                lane.requestNews(false);
                asked = false;
            }
            return asked && open;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resumePolling() {
        lock.lock();
        try {
            heard = true;
            asked = false;
            if (open) {
                lane.requestNews(false);
            }
        } finally {
            lock.unlock();
        }
    }
}
