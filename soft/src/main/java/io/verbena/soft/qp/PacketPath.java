package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.QueuePairState;

/// A reliable connection over the network: the requester, the completer and the responder. Owned by the engine.
final class PacketPath implements TransportPath {
    private final ReliableConnection connection;
    private final Requester requester;
    private final Completer completer;
    private final Responder responder;
    private final LivenessTimer liveness;
    private boolean moreToEmit;
    /// Whether an acknowledgement is sent before the program's reply, as all other devices do: some programs rely on
    /// it. Between software devices it is faster to send it after the reply, and it may cover more messages.
    private boolean acknowledgesFirst;

    PacketPath(ReliableConnection connection) {
        this.connection = connection;
        this.requester = new Requester(connection);
        this.liveness = new LivenessTimer(connection, requester);
        this.completer = new Completer(connection, requester, liveness);
        this.responder = new Responder(connection);
    }

    Completer completer() {
        return completer;
    }

    @Override
    public void startReceiving() {
        QueuePairSettings settings = connection.settings;
        acknowledgesFirst = !connection.engine.management().peerKinds().isVerbena(settings.peerHigh, settings.peerLow);
        responder.reset(!acknowledgesFirst);
    }

    @Override
    public void startSending() {
        requester.reset();
        completer.reset();
        liveness.start();
    }

    @Override
    public void applyDrainedSettings() {
        requester.applyReadLimit();
    }

    @Override
    public void finishReceiving() {
        responder.sendAcknowledgement();
    }

    @Override
    public void stop() {
        requester.stopTimers();
        liveness.stop();
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
    public boolean isReceiverNotReady() {
        return requester.isReceiverNotReady();
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
        liveness.onPacket(nowNs);
        if (packet.opcode().isRequest()) {
            connection.onRequest();
            responder.onRequest(packet, nowNs);
        } else {
            completer.onResponse(packet, nowNs);
        }
    }

    @Override
    public int emitPackets(long nowNs, int budget) {
        int responses = responder.emit(budget);
        if (acknowledgesFirst && requester.canEmit()) {
            responder.sendAcknowledgement();
        }
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
