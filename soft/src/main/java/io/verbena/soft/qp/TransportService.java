package io.verbena.soft.qp;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.ServedQueuePair;
import io.verbena.soft.engine.Transmitter;
import io.verbena.soft.event.QueuePairFacts;
import io.verbena.soft.event.SoftEvents;
import io.verbena.soft.mem.MemoryAccess;
import io.verbena.soft.os.AsymmetricFence;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.spi.QueuePairTransitions;
import java.util.function.Consumer;

/// The engine's side of a queue pair: its state, its settings and its completions, which are the same for every type.
/// The types implement the transport: [ReliableConnection], [UnreliableConnection], [Datagram]. Owned by the engine;
/// only the state may be read by any thread.
public abstract class TransportService extends ServedQueuePair implements QueuePairFacts {
    private static final String PROGRAM = "program";

    final SoftQueuePair qp;
    final Engine engine;
    final SendQueue sends;
    final CurrentReceive receive;
    final Completions completions;
    final Transmitter transmitter;
    /// The queue pair's access to registered memory.
    final MemoryAccess access;
    final QueuePairSettings settings = new QueuePairSettings();
    final TroubleCounters troubles = new TroubleCounters();
    private final QueueDomain domain;

    private volatile QueuePairState state = QueuePairState.RESET;
    private boolean drainReported;
    private boolean lastReceiveReported;
    private boolean firstRequestSeen;
    private Runnable firstRequestListener;
    private volatile boolean sendsHeld;
    private Consumer<Errno> peerGoneListener;
    private boolean usesNetwork;
    /// When it was connected; before that, when it was made.
    private volatile long sinceNs;

    TransportService(SoftQueuePair qp, SendQueue sends, CurrentReceive receive, boolean signalsAll) {
        this.qp = qp;
        this.domain = qp.protectionDomain();
        this.engine = qp.engine();
        this.sinceNs = engine.clock().nowNs();
        this.transmitter = engine.transmitter();
        this.access = new MemoryAccess(engine.memory(), qp);
        receive.access(new MemoryAccess(engine.memory(), receive.user()));
        this.sends = sends;
        this.receive = receive;
        this.completions = new Completions(qp, sends, receive, signalsAll, this::loseCompletion);
    }

    /// Whether requests take the local path. From any thread.
    @Override
    public final boolean isLocal() {
        return localPath() != null;
    }

    @Override
    public final Gid deviceGid() {
        return domain.context().device().gid();
    }

    @Override
    public final Gid peerGid() {
        return new Gid(settings.peerHigh, settings.peerLow);
    }

    @Override
    public final int peerNumber() {
        return settings.destinationQp;
    }

    /// The local path while it is in use; else null. From any thread.
    LocalPath localPath() {
        return null;
    }

    final QueuePairState state() {
        return state;
    }

    /// When it was connected, or made. From any thread.
    final long sinceNs() {
        return sinceNs;
    }

    // ---- what the types do ----

    /// The path in use.
    abstract TransportPath path();

    /// RESET: returns to the initial state.
    abstract void reset();

    /// RTR: chooses the path to the peer that the settings name.
    void choosePath() {}

    /// The path in use was stopped.
    void leavePath() {}

    private void stop() {
        path().stop();
        leavePath();
    }

    // ---- state machine ----

    final void change(QueuePairChange change) {
        QueuePairTransitions.check(qp.number(), qp.type(), state, change);
        var device = domain.context().device();
        QueuePairSettings.check(qp.number(), change, device.maxMtu(), device.gid());
        QueuePairState to = change.state() == null ? state : change.state();
        boolean leavesOrStays = to != QueuePairState.ERR && to != QueuePairState.RESET;
        if (state == QueuePairState.SQD && leavesOrStays && !path().isDrained()) {
            throw new RdmaException(
                    "modify QP 0x%x SQD->%s".formatted(qp.number(), to),
                    Errno.EINVAL,
                    "the send queue is still draining; wait for SEND_QUEUE_DRAINED");
        }
        settings.apply(change);
        QueuePairState from = state;
        boolean wasLocal = isLocal();
        enter(to);
        if (from != to && to != QueuePairState.ERR) {
            SoftEvents.stateChanged(this, wasLocal | isLocal(), from, to, PROGRAM, 0);
        }
        if (state != QueuePairState.ERR) {
            path().onChanged();
        }
        countNetworkUse();
    }

    /// Completion queues and the engine count the queue pairs that use the network. Without any, they need not poll it.
    final void countNetworkUse() {
        boolean uses = !isLocal()
                && state != QueuePairState.RESET
                && state != QueuePairState.INIT
                && state != QueuePairState.ERR;
        if (uses != usesNetwork) {
            usesNetwork = uses;
            int change = uses ? 1 : -1;
            qp.sendCq().countNetworkUsers(change);
            qp.receiveCq().countNetworkUsers(change);
            engine.countNetworkUsers(change);
        }
    }

    private void enter(QueuePairState to) {
        QueuePairState from = state;
        switch (to) {
            case RESET -> {
                state = to;
                // Before the queues are emptied, because polling threads may access them.
                stop();
                dropSends();
                receive.clear();
                reset();
                firstRequestSeen = false;
                lastReceiveReported = false;
                sendsHeld = false;
            }
            case ERR -> {
                path().finishReceiving();
                enterError(PROGRAM);
            }
            case RTR -> {
                choosePath();
                path().startReceiving();
                state = to;
            }
            case RTS -> {
                if (from == QueuePairState.RTR) {
                    // Drops requests that another thread posted during the reset.
                    dropSends();
                    path().startSending();
                    sinceNs = engine.clock().nowNs();
                }
                settings.sqdNotify = false;
                state = to;
                activate();
            }
            case SQD -> {
                state = to;
                drainReported = from == QueuePairState.SQD;
                if (from == QueuePairState.SQD) {
                    path().applyDrainedSettings();
                }
                onSendProgress();
            }
            case INIT -> {
                if (from == QueuePairState.RESET) {
                    // Drops receives that another thread posted during the reset.
                    receive.clear();
                }
                state = to;
            }
            case SQE -> state = to;
        }
    }

    /// A request of this side or of the peer failed.
    final void enterError() {
        enterError("a request failed");
    }

    /// Stops sending and receiving, and flushes both queues in order, each request exactly once.
    final void enterError(String cause) {
        QueuePairState from = state;
        boolean wasLocal = isLocal();
        state = QueuePairState.ERR;
        // Pairs with the fence in SoftQueuePair.announceReceives: either it sees ERR, or the flush sees its receive.
        AsymmetricFence.rareSideInProcess();
        stop();
        int flushed = flush();
        if (from != QueuePairState.ERR) {
            SoftEvents.stateChanged(this, wasLocal, from, QueuePairState.ERR, cause, flushed);
        }
    }

    /// A request of an unreliable queue pair failed on this side (rule ERR-1): it ends with that status, later ones are
    /// flushed, and receiving continues.
    final void failSend(CompletionStatus status) {
        completions.fail(status);
        if (state != QueuePairState.ERR) {
            QueuePairState from = state;
            state = QueuePairState.SQE;
            int flushed = flushSends();
            if (from != QueuePairState.SQE) {
                SoftEvents.stateChanged(this, false, from, QueuePairState.SQE, "a request failed", flushed);
            }
        }
    }

    /// A window returns its new key from the time that the bind is posted. Restores the old key.
    private void undoBind(long position) {
        if (sends.operation(position) == Operation.BIND_MEMORY_WINDOW) {
            engine.memory().onBindFailed(sends.rkey(position));
        }
    }

    private void dropSends() {
        for (long position = sends.head(); position < sends.tail(); position++) {
            undoBind(position);
        }
        sends.clear();
    }

    private int flushSends() {
        int flushed = 0;
        while (!sends.isEmpty()) {
            undoBind(sends.head());
            completions.flushSend();
            flushed++;
        }
        return flushed;
    }

    /// Returns how many requests were flushed.
    private int flush() {
        int flushed = flushSends();
        while (receive.takeToFlush()) {
            completions.flushReceive();
            flushed++;
        }
        if (receive.isSharedQueue() && !lastReceiveReported) {
            // The shared receive queue stays in use by others (rule ERR-4). This queue pair takes nothing from it any
            // more.
            lastReceiveReported = true;
            raise(AsyncEventType.LAST_WORK_REQUEST_REACHED);
        }
        return flushed;
    }

    /// Stops the queue pair, which is being closed.
    final void close() {
        path().finishReceiving();
        if (state != QueuePairState.RESET) {
            SoftEvents.stateChanged(this, isLocal(), state, QueuePairState.RESET, "close", 0);
        }
        state = QueuePairState.RESET;
        stop();
        dropSends();
        receive.clear();
        countNetworkUse();
    }

    final QueuePairAttributes query() {
        return new QueuePairAttributes(
                state,
                settings.access,
                settings.pkeyIndex,
                settings.port,
                settings.qkey,
                settings.address,
                settings.pathMtu,
                settings.destinationQp,
                path().receivePsn(),
                path().sendPsn(),
                settings.timeout,
                settings.retryCount,
                settings.rnrRetry,
                settings.minRnrTimer,
                settings.maxReadAtomic,
                settings.maxDestinationReadAtomic,
                state == QueuePairState.SQD && !path().isDrained(),
                qp.capabilities());
    }

    // ---- what the engine calls ----

    @Override
    public final int emit(long nowNs, int budget) {
        if (state == QueuePairState.ERR) {
            flush();
            return 0;
        }
        if (state == QueuePairState.SQE) {
            flushSends();
            return 0;
        }
        return path().emitPackets(nowNs, budget);
    }

    @Override
    public final void onEngineFault() {
        raise(AsyncEventType.QP_FATAL);
        enterError("fault of the device");
    }

    // ---- what the connection manager calls ----

    final void firstRequestListener(Runnable listener) {
        firstRequestListener = listener;
    }

    /// Sets the listener for the loss of the peer; null for none.
    final void peerGoneListener(Consumer<Errno> listener) {
        peerGoneListener = listener;
    }

    /// While sends are held back, requests may be posted but stay in the queue.
    final void holdSends(boolean held) {
        sendsHeld = held;
        if (isLocal()) {
            path().onChanged();
        }
        if (!held) {
            activate();
        }
    }

    // ---- what the types call ----

    final boolean holdsSends() {
        return sendsHeld;
    }

    /// A request of the peer arrived. The first one shows that the connection is established.
    final void onRequest() {
        if (firstRequestSeen) {
            return;
        }
        firstRequestSeen = true;
        if (state == QueuePairState.RTR) {
            raise(AsyncEventType.COMMUNICATION_ESTABLISHED);
        }
        if (firstRequestListener != null) {
            firstRequestListener.run();
        }
    }

    /// The process of the peer has ended, or closed its device, or does not answer. Only the connection manager reacts
    /// to that.
    final void onPeerGone(Errno reason) {
        Consumer<Errno> listener = peerGoneListener;
        if (listener != null) {
            peerGoneListener = null;
            listener.accept(reason);
        }
    }

    /// Puts the queue pair in line to emit.
    final void activate() {
        engine.activate(this);
    }

    final void acknowledgeSoon() {
        engine.acknowledgeSoon(this);
    }

    final void raise(AsyncEventType type) {
        domain.context().asyncEvents().raise(type, qp);
    }

    final void onSendProgress() {
        if (state == QueuePairState.SQD && !drainReported && path().isDrained()) {
            drainReported = true;
            if (settings.sqdNotify) {
                raise(AsyncEventType.SEND_QUEUE_DRAINED);
            }
        }
    }

    /// A completion was lost, so the queue pair goes to the error state. It is flushed in its next turn, because the
    /// caller is still processing a request.
    final void loseCompletion() {
        QueuePairState from = state;
        if (from != QueuePairState.ERR) {
            boolean wasLocal = isLocal();
            state = QueuePairState.ERR;
            AsymmetricFence.rareSideInProcess();
            stop();
            activate();
            SoftEvents.stateChanged(
                    this, wasLocal, from, QueuePairState.ERR, "a completion was lost to a full completion queue", 0);
        }
    }
}
