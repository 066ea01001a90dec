package io.verbena.soft.qp;

import io.verbena.roce.packet.Transport;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.PacketView;
import io.verbena.verbs.attr.QueuePairState;

/// A queue pair of type UD: single packets to and from any peer with the right Q_Key. Nothing is acknowledged: a send
/// is complete when its packet was sent, and a datagram that cannot be received is dropped.
final class Datagram extends UnacknowledgedService {
    private final DatagramSender sender;
    private final DatagramReceiver receiver;

    Datagram(SoftQueuePair qp, SendQueue sends, CurrentReceive receive, boolean signalsAll) {
        super(qp, sends, receive, signalsAll);
        int mtu = qp.protectionDomain().context().device().maxMtu().bytes();
        this.sender = new DatagramSender(this, mtu);
        this.receiver = new DatagramReceiver(this, mtu);
    }

    @Override
    void reset() {
        sender.reset(0);
    }

    @Override
    public void startReceiving() {
        engine.wire().revealTraffic();
    }

    @Override
    public void startSending() {
        sender.reset(settings.sendPsn);
    }

    @Override
    public boolean isDrained() {
        return true;
    }

    /// Datagrams come from many peers, each with PSNs of its own.
    @Override
    public int receivePsn() {
        return 0;
    }

    @Override
    public int sendPsn() {
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
