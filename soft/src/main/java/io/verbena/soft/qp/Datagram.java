package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;

/// A queue pair of type UD: single packets to and from anybody who shows the right key. Nothing is acknowledged, so a
/// send is done when it has left, and what cannot be received is dropped.
final class Datagram extends UnacknowledgedService {
    private final DatagramSender sender;
    private final DatagramReceiver receiver;

    Datagram(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
        int mtu = qp.protectionDomain().context().device().maxMtu().bytes();
        this.sender = new DatagramSender(this, mtu);
        this.receiver = new DatagramReceiver(this, mtu);
    }

    @Override
    boolean supports(Operation operation) {
        return operation.legalOn(qp.type());
    }

    @Override
    void reset() {
        sender.reset(0);
    }

    @Override
    void startReceiving() {
        engine.wire().revealTraffic();
    }

    @Override
    void startSending() {
        sender.reset(settings.sendPsn);
    }

    @Override
    boolean isDrained() {
        return true;
    }

    /// Datagrams come from many peers, each of which counts for itself.
    @Override
    int receivePsn() {
        return 0;
    }

    @Override
    int sendPsn() {
        return sender.nextPsn();
    }

    @Override
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        if (packet.opcode().transport() != Transport.UD) {
            return Counter.DROPPED_WRONG_TRANSPORT;
        }
        return switch (state()) {
            case RTR, RTS, SQD, SQE -> packet.qkey() == settings.qkey ? null : Counter.DROPPED_BAD_QKEY;
            case RESET, INIT, ERR -> Counter.DROPPED_WRONG_STATE;
        };
    }

    @Override
    public void onPacket(PacketView packet, long nowNs) {
        receiver.onDatagram(packet);
    }

    @Override
    boolean canEmit() {
        return state() == QueuePairState.RTS && !holdsSends() && !sends.isEmpty();
    }

    @Override
    boolean emitOne() {
        return sender.emitOne();
    }
}
