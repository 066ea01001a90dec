package io.verbena.soft.qp;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.ServedQueuePair;
import io.verbena.soft.engine.Transmitter;
import io.verbena.soft.mem.MemoryAccess;
import io.verbena.soft.os.AsymmetricFence;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.spi.QueuePairTransitions;

/// The engine's side of a queue pair: its state, its settings and its completions, which are the same for
/// every type. What travels is up to the types: [ReliableConnection], [UnreliableConnection], [Datagram].
/// Owned by the engine; only the state may be read by anybody.
public abstract class TransportService extends ServedQueuePair {
    final SoftQueuePair qp;
    final Engine engine;
    final SendQueue sends;
    final ReceiveInHand receive;
    final Completions completions;
    final Transmitter transmitter;
    /// The queue pair's access to registered memory.
    final MemoryAccess access;
    final QueuePairSettings settings = new QueuePairSettings();
    private final QueueDomain domain;

    private volatile QueuePairState state = QueuePairState.RESET;
    private boolean drainReported;
    private boolean lastReceiveReported;
    private boolean firstRequestSeen;
    private Runnable firstRequestListener;
    private volatile boolean sendsHeld;
    private Runnable peerGoneListener;
    private boolean usesNetwork;

    TransportService(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll) {
        this.qp = qp;
        this.domain = qp.protectionDomain();
        this.engine = domain.context().engine();
        this.transmitter = engine.transmitter();
        this.access = new MemoryAccess(engine.memory(), qp);
        receive.access(new MemoryAccess(engine.memory(), receive.user()));
        this.sends = sends;
        this.receive = receive;
        this.completions = new Completions(qp, sends, receive, signalsAll, this::loseCompletion);
    }

    /// Whether requests take the local path. From any thread.
    boolean isLocal() {
        return false;
    }

    /// The local path while it is in use; else null. From any thread.
    LocalPath localPath() {
        return null;
    }

    final QueuePairState state() {
        return state;
    }

    // ---- what the types do ----

    /// Whether the type can carry the operation out on this device.
    abstract boolean supports(Operation operation);

    /// RESET: as if just made.
    abstract void reset();

    /// RTR: the peer's requests are served from now on, with the settings as they are.
    abstract void startReceiving();

    /// RTR to RTS: requests may leave, with the settings as they are.
    abstract void startSending();

    /// SQD again: settings that may change while nothing is out.
    abstract void takeDrainedSettings();

    /// Before the program itself ends the traffic: what it received is the peer's success, which must not learn of an
    /// error instead.
    abstract void finishReceiving();

    /// State or settings are other ones now.
    void onChanged() {}

    /// ERR: nothing leaves any more, no timer runs.
    abstract void stop();

    /// Whether every started message is answered: what draining waits for.
    abstract boolean isDrained();

    /// The PSN expected next, for queries.
    abstract int receivePsn();

    /// The PSN to be sent next, for queries.
    abstract int sendPsn();

    /// Sends up to `budget` packets of each kind; how many left.
    abstract int emitPackets(long nowNs, int budget);

    // ---- state machine ----

    final void change(QueuePairChange change) {
        QueuePairTransitions.check(qp.number(), qp.type(), state, change);
        var device = domain.context().device();
        QueuePairSettings.check(qp.number(), change, device.maxMtu(), device.gid());
        QueuePairState to = change.state() == null ? state : change.state();
        boolean leavesOrStays = to != QueuePairState.ERR && to != QueuePairState.RESET;
        if (state == QueuePairState.SQD && leavesOrStays && !isDrained()) {
            throw new RdmaException(
                    "modify QP 0x%x SQD->%s".formatted(qp.number(), to),
                    Errno.EINVAL,
                    "the send queue is still draining; wait for SEND_QUEUE_DRAINED");
        }
        settings.apply(change);
        enter(to);
        if (state != QueuePairState.ERR) {
            onChanged();
        }
        countNetworkUse();
    }

    /// Completion queues and the engine know how many queue pairs use the network: others need not look there.
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
                // Before the queues are emptied: threads that poll may be at them.
                stop();
                dropSends();
                receive.clear();
                reset();
                firstRequestSeen = false;
                lastReceiveReported = false;
                sendsHeld = false;
            }
            case ERR -> {
                finishReceiving();
                enterError();
            }
            case RTR -> {
                startReceiving();
                state = to;
            }
            case RTS -> {
                if (from == QueuePairState.RTR) {
                    // Of the life before: another thread was posting them while the queue pair was reset.
                    dropSends();
                    startSending();
                }
                settings.sqdNotify = false;
                state = to;
                activate();
            }
            case SQD -> {
                state = to;
                drainReported = from == QueuePairState.SQD;
                if (from == QueuePairState.SQD) {
                    takeDrainedSettings();
                }
                onSendProgress();
            }
            case INIT -> {
                if (from == QueuePairState.RESET) {
                    // Likewise.
                    receive.clear();
                }
                state = to;
            }
            case SQE -> state = to;
        }
    }

    /// Stops all traffic and flushes both queues in order, each request exactly once.
    final void enterError() {
        state = QueuePairState.ERR;
        // Pairs with the fence in SoftQueuePair.announceReceives: either it sees ERR, or the flush sees its receive.
        AsymmetricFence.rareSideInProcess();
        stop();
        flush();
    }

    /// A request of an unreliable queue pair fails here (rule ERR-1): it ends with that status, those behind it are
    /// flushed, and receiving goes on.
    final void failSend(CompletionStatus status) {
        completions.end(status);
        if (state != QueuePairState.ERR) {
            state = QueuePairState.SQE;
            flushSends();
        }
    }

    /// A window told its new key when the bind was posted.
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

    private void flushSends() {
        while (!sends.isEmpty()) {
            undoBind(sends.head());
            completions.end(CompletionStatus.WORK_REQUEST_FLUSHED);
        }
    }

    private void flush() {
        flushSends();
        while (receive.takeToFlush()) {
            completions.failReceive(CompletionStatus.WORK_REQUEST_FLUSHED);
        }
        if (receive.isSharedQueue() && !lastReceiveReported) {
            // The shared queue goes on for others (rule ERR-4); this queue pair takes nothing from it any more.
            lastReceiveReported = true;
            raise(AsyncEventType.LAST_WORK_REQUEST_REACHED);
        }
    }

    /// The queue pair is being closed: nothing happens any more.
    final void close() {
        finishReceiving();
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
                receivePsn(),
                sendPsn(),
                settings.timeout,
                settings.retryCount,
                settings.rnrRetry,
                settings.minRnrTimer,
                settings.maxReadAtomic,
                settings.maxDestinationReadAtomic,
                state == QueuePairState.SQD && !isDrained(),
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
        return emitPackets(nowNs, budget);
    }

    @Override
    public final void onEngineFault() {
        raise(AsyncEventType.QP_FATAL);
        enterError();
    }

    // ---- what the connection manager calls ----

    final void firstRequestListener(Runnable listener) {
        firstRequestListener = listener;
    }

    /// What to do when the process of the peer has ended; null for nothing.
    final void peerGoneListener(Runnable listener) {
        peerGoneListener = listener;
    }

    /// While held, requests may be posted but stay where they are.
    final void holdSends(boolean held) {
        sendsHeld = held;
        if (isLocal()) {
            onChanged();
        }
        if (!held) {
            activate();
        }
    }

    // ---- what the types call ----

    final boolean holdsSends() {
        return sendsHeld;
    }

    /// A request of the peer arrived; the first one shows that the connection is there.
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

    /// The process of the peer has ended, or closed its device. Only the connection manager acts on it.
    final void onPeerGone() {
        Runnable listener = peerGoneListener;
        if (listener != null) {
            peerGoneListener = null;
            listener.run();
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
        if (state == QueuePairState.SQD && !drainReported && isDrained()) {
            drainReported = true;
            if (settings.sqdNotify) {
                raise(AsyncEventType.SEND_QUEUE_DRAINED);
            }
        }
    }

    /// A queue pair whose completions are lost is of no use any more. It is flushed in its next turn: the caller is
    /// half way through a request.
    final void loseCompletion() {
        if (state != QueuePairState.ERR) {
            state = QueuePairState.ERR;
            AsymmetricFence.rareSideInProcess();
            stop();
            activate();
        }
    }
}
