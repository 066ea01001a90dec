package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.SoftProtectionDomain;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.spi.QueuePairTransitions;

/// The engine's side of a queue pair of type RC: its state, and the three roles that carry it. Owned by the engine;
/// only the state may be read by anybody.
public final class ReliableConnection {
    private final SoftQueuePair qp;
    private final SoftProtectionDomain domain;
    private final Engine engine;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;
    private final boolean signalsAll;
    private final QueuePairSettings settings = new QueuePairSettings();
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;

    private volatile QueuePairState state = QueuePairState.RESET;
    private boolean drainReported;
    private boolean moreToEmit;
    private boolean firstRequestSeen;
    private Runnable firstRequestListener;
    private boolean sendsHeld;

    ReliableConnection(SoftQueuePair qp, SendQueue sends, ReceiveQueue receives, boolean signalsAll) {
        this.qp = qp;
        this.domain = qp.protectionDomain();
        this.engine = domain.context().engine();
        this.sends = sends;
        this.receives = receives;
        this.sendCq = qp.sendCq();
        this.receiveCq = qp.receiveCq();
        this.signalsAll = signalsAll;
        this.requester = new Requester(this, engine, sends, settings);
        this.completer = new Completer(this, engine, sends, settings, requester);
        this.responder = new Responder(this, engine, receives, settings);
    }

    QueuePairState state() {
        return state;
    }

    SoftProtectionDomain protectionDomain() {
        return domain;
    }

    // ---- state machine ----

    void change(QueuePairChange change) {
        QueuePairTransitions.check(qp.number(), qp.type(), state, change);
        var device = domain.context().device();
        QueuePairSettings.check(qp.number(), change, device.maxMtu(), device.gid());
        QueuePairState to = change.state() == null ? state : change.state();
        boolean leavesOrStays = to != QueuePairState.ERR && to != QueuePairState.RESET;
        if (state == QueuePairState.SQD && leavesOrStays && !requester.isDrained()) {
            throw new RdmaException(
                    "modify QP 0x%x SQD->%s".formatted(qp.number(), to),
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
                sendsHeld = false;
            }
            case ERR -> {
                // What the program received is the peer's success; it must not learn of an error instead.
                responder.sendAcknowledgement();
                enterError();
            }
            case RTR -> {
                responder.reset();
                state = to;
            }
            case RTS -> {
                if (from == QueuePairState.RTR) {
                    requester.reset();
                    completer.reset();
                }
                settings.sqdNotify = false;
                state = to;
                activate();
            }
            case SQD -> {
                state = to;
                drainReported = from == QueuePairState.SQD;
                if (from == QueuePairState.SQD) {
                    requester.takeReadLimit();
                }
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

    /// The queue pair is being closed: nothing happens any more.
    void close() {
        responder.sendAcknowledgement();
        state = QueuePairState.RESET;
        requester.stopTimers();
    }

    QueuePairAttributes query() {
        return new QueuePairAttributes(
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
                qp.capabilities());
    }

    // ---- what the engine calls ----

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
            responder.onRequest(packet, nowNs);
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

    void firstRequestListener(Runnable listener) {
        firstRequestListener = listener;
    }

    /// For the connection manager: while held, requests may be posted but stay where they are.
    void holdSends(boolean held) {
        sendsHeld = held;
        if (!held) {
            activate();
        }
    }

    boolean holdsSends() {
        return sendsHeld;
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

    /// Whether to go on in the next cycle: the budget or the network stopped it. What else stops it (window,
    /// credits, a fence) puts the queue pair back in line when it ends.
    public boolean hasMoreToEmit() {
        return moreToEmit && (responder.canEmit() || requester.canEmit());
    }

    /// Sends what the responder has to answer; with `atOnce` even what may wait. False when it is still to be sent.
    public boolean sendAcknowledgement(long nowNs, boolean atOnce) {
        return atOnce ? responder.sendAcknowledgement() : responder.sendAcknowledgementInTime(nowNs);
    }

    public void onEngineFault() {
        raise(AsyncEventType.QP_FATAL);
        enterError();
    }

    // ---- what requester, completer and responder call ----

    Completer completer() {
        return completer;
    }

    boolean signalsAll() {
        return signalsAll;
    }

    /// Puts the queue pair in line to emit.
    void activate() {
        engine.activate(qp);
    }

    void acknowledgeSoon() {
        engine.acknowledgeSoon(qp);
    }

    void raise(AsyncEventType type) {
        domain.context().asyncEvents().raise(type, qp);
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
        sends.onReported();
        boolean kept = sendCq.complete(
                sends,
                sends.wrId(position),
                status,
                sends.operation(position).completion(),
                qp.number(),
                sends.length(position),
                false,
                0,
                false);
        afterCompletion(sends, kept);
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
        receives.onReported();
        receives.retire();
        afterCompletion(
                receives,
                receiveCq.complete(
                        receives, wrId, status, opcode, qp.number(), bytes, hasImmediate, immediate, solicited));
    }

    /// A queue pair whose completions are lost is of no use any more. It is flushed in its next turn: the caller is
    /// half way through a request.
    private void afterCompletion(WorkQueue queue, boolean kept) {
        if (kept) {
            return;
        }
        queue.onLost();
        if (state != QueuePairState.ERR) {
            state = QueuePairState.ERR;
            requester.stopTimers();
            responder.drop();
            activate();
        }
    }
}
