package io.verbena.soft.qp;

import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.cq.CompletionProducer;
import io.verbena.soft.cq.CompletionView;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.local.LocalLink;
import io.verbena.soft.local.OwnLane;
import io.verbena.soft.local.RingReader;
import io.verbena.soft.os.BiasedLock;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Takes the peer's requests out of this side's lane, in order: matches receives, executes, and says how far it is.
/// Guarded by its lock, which pollers of the receive completion queue and the engine's owner only try. Shares two words
/// with the requester: what is executed here travels with its messages, and what theirs acknowledge is left for it.
final class LocalResponder implements CompletionProducer {
    private static final VarHandle EXECUTED;
    private static final VarHandle ACKNOWLEDGED;
    private static final VarHandle TOLD;

    static {
        try {
            EXECUTED = MethodHandles.lookup().findVarHandle(LocalResponder.class, "executed", long.class);
            ACKNOWLEDGED = MethodHandles.lookup().findVarHandle(LocalResponder.class, "acknowledged", int.class);
            TOLD = MethodHandles.lookup().findVarHandle(LocalResponder.class, "told", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Entries without a completion that one call takes, so that a poll comes back.
    private static final int BUDGET = 32;
    /// The peer hears after so many entries, or so many bytes, how far this side is.
    private static final int TELL_EVERY = 16;

    private static final int TELL_BYTES = 16 << 10;
    /// Empty polls after which the peer hears what no message of this side took along; and what one did, which may
    /// wait unread.
    private static final int TELL_AFTER = 8;

    private static final int REPEAT_AFTER = 64;

    final BiasedLock lock = new BiasedLock();
    private final LocalPath path;
    private final int qpNumber;
    private final ReceiveInHand receive;
    private final LocalExecution execution;
    private OwnLane lane;
    private LocalLink link;
    private RingReader requests;
    private boolean open;
    private boolean heard;
    private boolean asked;

    /// Ring position before which all is executed; written here, read by the requester.
    private long executed;
    /// What the peer acknowledged with its messages; written here, read by the requester.
    private int acknowledged;
    /// Up to where the peer was told in one way or another: the requester's messages take it along.
    private long told;

    private long toldInLane;
    private int untold;
    private int untoldBytes;
    private int idle;
    private boolean notReady;
    /// Whether the oldest entry waits for the peer, and how many answers the peer had taken then.
    private boolean waits;

    private long waitsAt;
    private boolean firstSeen;
    /// Why nothing more is served; null while all is well.
    private Verdict failure;

    LocalResponder(LocalPath path) {
        this.path = path;
        this.qpNumber = path.service.qp.number();
        this.receive = path.service.receive;
        this.execution = new LocalExecution(path.service);
    }

    void start(LocalLink with) {
        lock.lock();
        try {
            link = with;
            lane = with.own();
            requests = lane.requests();
            execution.start(with);
            executed = 0;
            acknowledged = 0;
            told = 0;
            toldInLane = 0;
            untold = 0;
            untoldBytes = 0;
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

    /// Nothing is served any more, and no thread is in the lane when this returns.
    void stop() {
        lock.lock();
        try {
            open = false;
            lane = null;
            requests = null;
            execution.stop();
        } finally {
            lock.unlock();
        }
    }

    // ---- what the requester reads ----

    long executed() {
        return (long) EXECUTED.getOpaque(this);
    }

    /// A message takes along what is executed up to there.
    void onToldAlong(long position) {
        TOLD.setOpaque(this, position);
    }

    int acknowledged() {
        return (int) ACKNOWLEDGED.getOpaque(this);
    }

    // ---- what the engine's owner asks ----

    /// Whether the first request has come.
    boolean hasSeenRequest() {
        return firstSeen;
    }

    /// Why nothing more is served; null while all is well.
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
            // Completions that the engine queued meanwhile come first.
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
            return open && !isStuck() && requests.next();
        } finally {
            lock.unlock();
        }
    }

    /// Whether the oldest entry cannot go on before the peer has done something.
    private boolean isStuck() {
        return notReady && !lane.shallGoOn() || waits && lane.repliesConsumed() == waitsAt;
    }

    private boolean take(CompletionView view, boolean direct) {
        for (int budget = BUDGET; budget > 0; budget--) {
            if (!requests.next()) {
                onEmpty();
                return false;
            }
            heard = true;
            idle = 0;
            if (notReady && !goOn()) {
                return false;
            }
            int along = requests.acknowledgement();
            if (along != 0) {
                ACKNOWLEDGED.setOpaque(this, along);
            }
            waits = false;
            Verdict verdict = execution.execute(requests);
            if (verdict == Verdict.OK) {
                onExecuted();
                if (execution.completes()) {
                    complete(view, direct);
                    return true;
                }
            } else if (verdict == null) {
                waits = true;
                waitsAt = lane.repliesConsumed();
                if (link.lane() == null) {
                    path.wantEngine();
                }
                return false; // goes on when the peer has taken answers, or the engine has found its lane
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
        requests.consume(execution.cells());
        EXECUTED.setOpaque(this, requests.head());
        untoldBytes += execution.bytes();
        if (++untold >= TELL_EVERY || untoldBytes >= TELL_BYTES) {
            tell();
        }
        if (!firstSeen) {
            firstSeen = true;
            path.wantEngine();
        }
    }

    private void complete(CompletionView view, boolean direct) {
        long wrId = receive.wrId();
        if (direct) {
            receive.onTaken();
        } else {
            receive.onReported();
        }
        view.set(
                wrId,
                CompletionStatus.SUCCESS,
                execution.opcode(),
                execution.completionFlags(),
                qpNumber,
                execution.completedBytes(),
                execution.immediate(),
                execution.isSolicited());
    }

    /// The peer hears how far this side is: at once what nobody else told it, a little later what a message took along.
    private void onEmpty() {
        if (executed != requests.head()) {
            EXECUTED.setOpaque(this, requests.head()); // the rest of the ring was skipped
        }
        if (toldInLane == executed) {
            return;
        }
        idle++;
        if (idle >= REPEAT_AFTER || idle >= TELL_AFTER && (long) TOLD.getOpaque(this) != executed) {
            tell();
        }
    }

    private void tell() {
        untold = 0;
        untoldBytes = 0;
        idle = 0;
        toldInLane = executed;
        TOLD.setOpaque(this, executed);
        lane.executed(executed);
        if (lane.isAttached()) {
            link.peer().wakeRequester(lane.sendQueueSlot());
        }
    }

    @Override
    public void publishExecuted() {
        if (toldInLane != executed && lock.tryLock()) {
            try {
                if (open && toldInLane != executed) {
                    tell();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// No receive is posted: the request stays where it is until the requester has waited and says so.
    private void onNotReady() {
        notReady = true;
        path.engine.counters().incrementShared(Counter.RNR_NAKS_SENT);
        tell();
        lane.verdict(requests.head(), Syndrome.rnrNak(path.service.settings.minRnrTimer));
        link.tellPeer();
    }

    private boolean goOn() {
        notReady = !lane.shallGoOn();
        return !notReady;
    }

    /// The connection cannot go on: the receive in use gets its status, the peer its answer, and the engine flushes the
    /// rest.
    private boolean fail(Verdict verdict, CompletionView view, boolean direct) {
        open = false;
        failure = verdict;
        tell();
        if (verdict != Verdict.KEY_NOT_REVOCABLE) {
            lane.verdict(requests.head(), verdict.syndrome());
            link.tellPeer();
        }
        path.wantEngine();
        if (!execution.usesReceive() || verdict.receiveStatus() == CompletionStatus.WORK_REQUEST_FLUSHED) {
            return false;
        }
        long wrId = receive.wrId();
        if (direct) {
            receive.onTaken();
        } else {
            receive.onReported();
        }
        view.set(wrId, verdict.receiveStatus(), CompletionOpcode.RECEIVE, 0, qpNumber, 0, 0, false);
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
                lane.quiet(true);
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
                lane.quiet(false);
                asked = false;
            }
            return asked && open;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void listen() {
        lock.lock();
        try {
            heard = true;
            asked = false;
            if (open) {
                lane.quiet(false);
            }
        } finally {
            lock.unlock();
        }
    }
}
