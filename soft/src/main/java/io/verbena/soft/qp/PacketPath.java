package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.QueuePairState;

/// A reliable connection as packets on the network: the three roles that carry it. Owned by the engine.
final class PacketPath implements ReliablePath {
    private final ReliableConnection connection;
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private boolean moreToEmit;

    PacketPath(ReliableConnection connection) {
        this.connection = connection;
        this.requester = new Requester(connection);
        this.completer = new Completer(connection, requester);
        this.responder = new Responder(connection);
    }

    Completer completer() {
        return completer;
    }

    @Override
    public void startReceiving() {
        responder.reset();
    }

    @Override
    public void startSending() {
        requester.reset();
        completer.reset();
    }

    @Override
    public void takeDrainedSettings() {
        requester.takeReadLimit();
    }

    @Override
    public void onChanged() {}

    @Override
    public void finishReceiving() {
        responder.sendAcknowledgement();
    }

    @Override
    public void stop() {
        requester.stopTimers();
        responder.drop();
    }

    @Override
    public boolean isDrained() {
        return requester.isDrained();
    }

    @Override
    public int receivePsn() {
        return responder.expectedPsn();
    }

    @Override
    public int sendPsn() {
        return requester.sentEndPsn();
    }

    @Override
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        if (packet.opcode().transport() != Transport.RC) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        QueuePairState now = connection.state();
        boolean canSend = now == QueuePairState.RTS || now == QueuePairState.SQD;
        boolean ready = packet.opcode().isRequest() ? canSend || now == QueuePairState.RTR : canSend;
        if (!ready) {
            return Counter.DROPPED_WRONG_STATE;
        }
        QueuePairSettings settings = connection.settings;
        return sourceLow == settings.peerLow && sourceHigh == settings.peerHigh ? null : Counter.DROPPED_WRONG_ADDRESS;
    }

    @Override
    public void onPacket(PacketView packet, long nowNs) {
        if (packet.opcode().isRequest()) {
            connection.onRequest();
            responder.onRequest(packet, nowNs);
        } else {
            completer.onResponse(packet, nowNs);
        }
    }

    @Override
    public int emit(long nowNs, int budget) {
        int responses = responder.emit(budget);
        int requests = requester.emit(budget);
        moreToEmit = responses == budget || requests == budget || connection.transmitter.isRefused();
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
