package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.QueuePairState;

/// A queue pair of type UC: messages to one peer, in order, without answers. A send is complete when it was sent. A
/// message that loses a packet is dropped without a completion.
final class UnreliableConnection extends UnacknowledgedService {
    private final UnreliableRequester requester;
    private final UnreliableResponder responder;

    UnreliableConnection(SoftQueuePair qp, SendQueue sends, CurrentReceive receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
        this.requester = new UnreliableRequester(this);
        this.responder = new UnreliableResponder(this);
    }

    @Override
    void reset() {
        requester.reset(0);
        responder.reset(0);
    }

    @Override
    public void startReceiving() {
        responder.reset(settings.receivePsn);
    }

    @Override
    public void startSending() {
        requester.reset(settings.sendPsn);
    }

    @Override
    public void stop() {
        super.stop();
        requester.stop();
    }

    @Override
    public boolean isDrained() {
        return !requester.isInMessage();
    }

    @Override
    public int receivePsn() {
        return responder.expectedPsn();
    }

    @Override
    public int sendPsn() {
        return requester.nextPsn();
    }

    @Override
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        if (packet.opcode().transport() != Transport.UC) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        return switch (state()) {
            case RTR, RTS, SQD, SQE ->
                sourceLow == settings.peerLow && sourceHigh == settings.peerHigh ? null : Counter.DROPPED_WRONG_ADDRESS;
            case RESET, INIT, ERR -> Counter.DROPPED_WRONG_STATE;
        };
    }

    @Override
    public void onPacket(PacketView packet, long nowNs) {
        onRequest();
        responder.onRequest(packet);
    }

    @Override
    boolean canEmit() {
        boolean starts = state() == QueuePairState.RTS && !holdsSends() && !sends.isEmpty();
        return starts || state() == QueuePairState.SQD && requester.isInMessage();
    }

    @Override
    boolean emitOne() {
        return requester.emitOne();
    }
}
