package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;

/// A queue pair of type UC: messages to one peer, in order, without answers. A send is done when it has left; of a
/// message that loses a packet nothing is reported.
final class UnreliableConnection extends TransportService {
    private final UnreliableRequester requester;
    private final UnreliableResponder responder;
    private boolean moreToEmit;

    UnreliableConnection(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
        this.requester = new UnreliableRequester(this);
        this.responder = new UnreliableResponder(this);
    }

    @Override
    boolean supports(Operation operation) {
        return TransportServices.supports(qp.type(), operation);
    }

    @Override
    void reset() {
        requester.reset(0);
        responder.reset(0);
    }

    @Override
    void startReceiving() {
        responder.reset(settings.receivePsn);
    }

    @Override
    void startSending() {
        requester.reset(settings.sendPsn);
    }

    @Override
    void takeDrainedSettings() {
        // The address and the rights are looked at with each packet.
    }

    @Override
    void settle() {
        // Nobody is owed an answer.
    }

    @Override
    void stop() {
        requester.stop();
        moreToEmit = false;
    }

    @Override
    boolean isDrained() {
        return !requester.isInMessage();
    }

    @Override
    int receivePsn() {
        return responder.expectedPsn();
    }

    @Override
    int sendPsn() {
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

    private boolean canEmit() {
        boolean starts = state() == QueuePairState.RTS && !holdsSends() && !sends.isEmpty();
        return starts || state() == QueuePairState.SQD && requester.isInMessage();
    }

    @Override
    int emitPackets(long nowNs, int budget) {
        int emitted = 0;
        while (emitted < budget && canEmit() && requester.emitOne()) {
            emitted++;
        }
        moreToEmit = emitted == budget || engine.transmitter().isRefused();
        return emitted;
    }

    @Override
    public boolean hasMoreToEmit() {
        return moreToEmit && canEmit();
    }

    @Override
    public boolean sendAcknowledgement(long nowNs, boolean atOnce) {
        return true;
    }
}
