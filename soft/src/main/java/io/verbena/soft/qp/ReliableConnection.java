package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;

/// A queue pair of type RC: the three roles that carry it.
final class ReliableConnection extends TransportService {
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private final LocalOperations local;
    private boolean moreToEmit;

    ReliableConnection(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
        this.local = new LocalOperations(this);
        this.requester = new Requester(this);
        this.completer = new Completer(this, requester);
        this.responder = new Responder(this);
    }

    LocalOperations local() {
        return local;
    }

    Completer completer() {
        return completer;
    }

    @Override
    boolean supports(Operation operation) {
        return RcOpcodes.supports(operation) || LocalOperations.contains(operation);
    }

    @Override
    void reset() {
        requester.reset();
        responder.drop();
    }

    @Override
    void startReceiving() {
        responder.reset();
    }

    @Override
    void startSending() {
        requester.reset();
        completer.reset();
    }

    @Override
    void takeDrainedSettings() {
        requester.takeReadLimit();
    }

    @Override
    void settle() {
        responder.sendAcknowledgement();
    }

    @Override
    void stop() {
        requester.stopTimers();
        responder.drop();
    }

    @Override
    boolean isDrained() {
        return requester.isDrained();
    }

    @Override
    int receivePsn() {
        return responder.expectedPsn();
    }

    @Override
    int sendPsn() {
        return requester.sentEndPsn();
    }

    @Override
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        if (packet.opcode().transport() != Transport.RC) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        QueuePairState now = state();
        boolean canSend = now == QueuePairState.RTS || now == QueuePairState.SQD;
        boolean ready = packet.opcode().isRequest() ? canSend || now == QueuePairState.RTR : canSend;
        if (!ready) {
            return Counter.DROPPED_WRONG_STATE;
        }
        return sourceLow == settings.peerLow && sourceHigh == settings.peerHigh ? null : Counter.DROPPED_WRONG_ADDRESS;
    }

    @Override
    public void onPacket(PacketView packet, long nowNs) {
        if (packet.opcode().isRequest()) {
            onRequest();
            responder.onRequest(packet, nowNs);
        } else {
            completer.onResponse(packet, nowNs);
        }
    }

    @Override
    int emitPackets(long nowNs, int budget) {
        int responses = responder.emit(budget);
        int requests = requester.emit(nowNs, budget);
        moreToEmit = responses == budget || requests == budget || outlet.isRefused();
        return responses + requests;
    }

    @Override
    public boolean hasMoreToEmit() {
        return moreToEmit && (responder.canEmit() || requester.canEmit());
    }

    @Override
    public boolean sendAcknowledgement(long nowNs, boolean atOnce) {
        return atOnce ? responder.sendAcknowledgement() : responder.sendAcknowledgementInTime(nowNs);
    }
}
