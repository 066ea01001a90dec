package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.SoftProtectionDomain;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.spi.QueuePairTransitions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// A reliable connection of the software device. Programs touch the two queues, under a short lock each; everything
/// else
/// belongs to the engine.
public final class SoftQueuePair implements QueuePair {
    private static final VarHandle POSTED;

    static {
        try {
            POSTED = MethodHandles.lookup().findVarHandle(SoftQueuePair.class, "posted", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SoftProtectionDomain domain;
    private final Engine engine;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;
    private final QueuePairCapabilities capabilities;
    private final boolean signalsAll;
    private final int number;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final PostCheck check;
    private final QueuePairSettings settings = new QueuePairSettings();
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private final ReentrantLock sendLock = new ReentrantLock();
    private final ReentrantLock receiveLock = new ReentrantLock();

    private volatile QueuePairState state = QueuePairState.RESET;
    private volatile boolean closed;
    private boolean drainReported;
    private boolean moreToEmit;
    private Runnable firstRequestListener;
    private boolean firstRequestSeen;

    /// Whether the queue pair is in the engine's list of posted ones; the next in that list.
    private volatile int posted;

    public SoftQueuePair nextPosted;
    /// The engine's notes on which of its lists this queue pair is in.
    public boolean inActive;

    public boolean inAcknowledging;

    public SoftQueuePair(SoftProtectionDomain domain, QueuePairOptions options) {
        this.domain = domain;
        this.engine = domain.context().engine();
        this.sendCq = (SoftCompletionQueue) options.sendCq();
        this.receiveCq = (SoftCompletionQueue) options.receiveCq();
        this.signalsAll = options.signalAll();
        QueuePairCapabilities asked = options.capabilities();
        this.sends = new SendQueue(asked.maxSendRequests(), asked.maxSendScatterGather(), asked.maxInlineBytes());
        this.receives = new ReceiveQueue(asked.maxReceiveRequests(), asked.maxReceiveScatterGather());
        this.capabilities = new QueuePairCapabilities(
                sends.capacity(),
                receives.capacity(),
                asked.maxSendScatterGather(),
                asked.maxReceiveScatterGather(),
                asked.maxInlineBytes());
        this.requester = new Requester(this, engine, sends, settings);
        this.completer = new Completer(this, engine, sends, settings, requester);
        this.responder = new Responder(this, engine, receives, settings);
        this.number = engine.call(() -> engine.queuePairs().freeNumber());
        this.check = new PostCheck(this);
        engine.execute(() -> engine.queuePairs().add(this));
        sendCq.users().add(this);
        receiveCq.users().add(this);
    }

    // ---- what programs call ----

    @Override
    public SoftProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return QueuePairType.RC;
    }

    @Override
    public QueuePairState state() {
        return state;
    }

    @Override
    public QueuePairCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public SoftCompletionQueue sendCq() {
        return sendCq;
    }

    @Override
    public SoftCompletionQueue receiveCq() {
        return receiveCq;
    }

    @Override
    public SendRequest newSendRequest() {
        return new SoftSendRequest(capabilities.maxSendScatterGather());
    }

    @Override
    public ReceiveRequest newReceiveRequest() {
        return new SoftReceiveRequest(capabilities.maxReceiveScatterGather());
    }

    @Override
    public boolean post(SendRequest request) {
        sendLock.lock();
        try {
            SoftSendRequest checked = check.send(request, 0);
            if (sends.isFull()) {
                return false;
            }
            sends.write(checked);
        } finally {
            sendLock.unlock();
        }
        announce();
        return true;
    }

    @Override
    public int postSends(List<SendRequest> chain) {
        int taken = 0;
        sendLock.lock();
        try {
            for (int count = chain.size(); taken < count; taken++) {
                SoftSendRequest checked = check.send(chain.get(taken), taken);
                if (sends.isFull()) {
                    break;
                }
                sends.write(checked);
            }
        } finally {
            sendLock.unlock();
            if (taken > 0) {
                announce();
            }
        }
        return taken;
    }

    @Override
    public boolean post(ReceiveRequest request) {
        receiveLock.lock();
        try {
            SoftReceiveRequest checked = check.receive(request, 0);
            if (receives.isFull()) {
                return false;
            }
            receives.write(checked);
        } finally {
            receiveLock.unlock();
        }
        announceReceives();
        return true;
    }

    @Override
    public int postReceives(List<ReceiveRequest> chain) {
        int taken = 0;
        receiveLock.lock();
        try {
            for (int count = chain.size(); taken < count; taken++) {
                SoftReceiveRequest checked = check.receive(chain.get(taken), taken);
                if (receives.isFull()) {
                    break;
                }
                receives.write(checked);
            }
        } finally {
            receiveLock.unlock();
            announceReceives();
        }
        return taken;
    }

    private void announce() {
        engine.offer(this);
        engine.runPosted();
    }

    /// Receives wait for messages; only in the error state is there something to do at once.
    private void announceReceives() {
        if (state == QueuePairState.ERR) {
            announce();
        }
    }

    @Override
    public void modify(QueuePairChange change) {
        engine.execute(() -> change(change));
    }

    @Override
    public QueuePairAttributes query() {
        return engine.call(() -> new QueuePairAttributes(
                state,
                settings.access,
                settings.pkeyIndex,
                settings.port,
                settings.qkey,
                settings.address,
                settings.pathMtu,
                settings.destinationQp,
                responder.expectedPsn(),
                requester.sentEndPsn(),
                settings.timeout,
                settings.retryCount,
                settings.rnrRetry,
                settings.minRnrTimer,
                settings.maxReadAtomic,
                settings.maxDestinationReadAtomic,
                state == QueuePairState.SQD && !requester.isDrained(),
                capabilities));
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        engine.execute(() -> {
            state = QueuePairState.RESET;
            requester.stopTimers();
            engine.remove(this);
        });
        sendCq.users().remove(this);
        receiveCq.users().remove(this);
        domain.context().asyncEvents().forget(this);
        domain.forget(this);
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return "QP 0x%x (RC, %s)".formatted(number, state);
    }

    // ---- state machine, as the engine's owner ----

    private void change(QueuePairChange change) {
        if (closed) {
            throw new RdmaException("modify QP 0x%x".formatted(number), Errno.EBADF, "the queue pair is closed");
        }
        QueuePairTransitions.check(number, type(), state, change);
        QueuePairSettings.check(number, change, domain.context().device().maxMtu());
        QueuePairState to = change.state() == null ? state : change.state();
        if (state == QueuePairState.SQD
                && to != QueuePairState.ERR
                && to != QueuePairState.RESET
                && !requester.isDrained()) {
            throw new RdmaException(
                    "modify QP 0x%x SQD->%s".formatted(number, to),
                    Errno.EINVAL,
                    "the send queue is still draining; wait for SEND_QUEUE_DRAINED");
        }
        settings.apply(change);
        enter(to);
    }

    private void enter(QueuePairState to) {
        QueuePairState from = state;
        switch (to) {
            case RESET -> {
                state = to;
                sends.clear();
                receives.clear();
                requester.reset();
                responder.drop();
                firstRequestSeen = false;
            }
            case ERR -> enterError();
            case RTR -> {
                responder.reset();
                state = to;
            }
            case RTS -> {
                if (from == QueuePairState.RTR) {
                    requester.reset();
                    completer.reset();
                }
                state = to;
                engine.activate(this);
            }
            case SQD -> {
                state = to;
                drainReported = from == QueuePairState.SQD;
                onSendProgress();
            }
            case INIT, SQE -> state = to;
        }
    }

    /// Stops all traffic and flushes both queues in order, each request exactly once.
    void enterError() {
        state = QueuePairState.ERR;
        requester.stopTimers();
        responder.drop();
        flush();
    }

    private void flush() {
        while (!sends.isEmpty()) {
            completeSend(sends.head(), CompletionStatus.WORK_REQUEST_FLUSHED);
            sends.retire();
        }
        while (!receives.isEmpty()) {
            completeReceive(CompletionStatus.WORK_REQUEST_FLUSHED, CompletionOpcode.RECEIVE, 0, false, 0, false);
        }
    }

    // ---- what the engine calls ----

    /// For the engine's list of posted queue pairs: true for the one caller that may add this one.
    public boolean claimPosted() {
        return POSTED.compareAndSet(this, 0, 1);
    }

    public void releasePosted() {
        posted = 0;
    }

    /// Whether a packet is for this queue pair as it is; else what to count.
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        if (packet.opcode().transport() != Transport.RC) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        QueuePairState now = state;
        boolean canSend = now == QueuePairState.RTS || now == QueuePairState.SQD;
        boolean ready = packet.opcode().isRequest() ? canSend || now == QueuePairState.RTR : canSend;
        if (!ready) {
            return Counter.DROPPED_WRONG_STATE;
        }
        return sourceLow == settings.peerLow && sourceHigh == settings.peerHigh ? null : Counter.DROPPED_WRONG_ADDRESS;
    }

    public void onPacket(PacketView packet, long nowNs) {
        if (packet.opcode().isRequest()) {
            if (!firstRequestSeen) {
                onFirstRequest();
            }
            responder.onRequest(packet);
        } else {
            completer.onResponse(packet, nowNs);
        }
    }

    private void onFirstRequest() {
        firstRequestSeen = true;
        if (state == QueuePairState.RTR) {
            raise(AsyncEventType.COMMUNICATION_ESTABLISHED);
        }
        if (firstRequestListener != null) {
            firstRequestListener.run();
        }
    }

    /// For the connection manager: runs once, as owner, when the peer's first request arrives.
    public void onFirstRequest(Runnable listener) {
        engine.execute(() -> firstRequestListener = listener);
    }

    public int emit(long nowNs, int budget) {
        if (state == QueuePairState.ERR) {
            flush();
            return 0;
        }
        int responses = responder.emit(budget);
        int requests = requester.emit(nowNs, budget);
        moreToEmit = responses == budget
                || requests == budget
                || engine.transmitter().isRefused();
        return responses + requests;
    }

    /// Whether to go on in the next cycle: the budget or the network stopped it. What else stops it (window, credits, a
    /// fence)
    /// puts the queue pair back in line when it ends.
    public boolean hasMoreToEmit() {
        return moreToEmit && (responder.canEmit() || requester.canEmit());
    }

    public boolean sendAcknowledgement() {
        return responder.sendAcknowledgement();
    }

    public void onEngineFault() {
        raise(AsyncEventType.QP_FATAL);
        enterError();
    }

    // ---- what requester, completer and responder call ----

    Completer completer() {
        return completer;
    }

    QueuePairState currentState() {
        return state;
    }

    boolean signalsAll() {
        return signalsAll;
    }

    void raise(AsyncEventType type) {
        domain.context().asyncEvents().raise(type, this);
    }

    void onSendProgress() {
        if (state == QueuePairState.SQD && !drainReported && requester.isDrained()) {
            drainReported = true;
            if (settings.sqdNotify) {
                raise(AsyncEventType.SEND_QUEUE_DRAINED);
            }
        }
    }

    void completeSend(long position, CompletionStatus status) {
        boolean kept = sendCq.complete(
                sends.wrId(position),
                status,
                sends.operation(position).completion(),
                number,
                sends.length(position),
                false,
                0,
                false);
        afterCompletion(kept);
    }

    /// Completes and retires the oldest receive.
    void completeReceive(
            CompletionStatus status,
            CompletionOpcode opcode,
            long bytes,
            boolean hasImmediate,
            int immediate,
            boolean solicited) {
        long wrId = receives.wrId(receives.head());
        receives.retire();
        afterCompletion(receiveCq.complete(wrId, status, opcode, number, bytes, hasImmediate, immediate, solicited));
    }

    /// A queue pair whose completions are lost is of no use any more.
    private void afterCompletion(boolean kept) {
        if (!kept && state != QueuePairState.ERR) {
            state = QueuePairState.ERR;
            engine.activate(this);
        }
    }

    BadRequestException refused(String verb, int index, String explanation) {
        return new BadRequestException("%s QP 0x%x".formatted(verb, number), index, explanation);
    }
}
