package io.verbena.soft.engine;

import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.Mad;
import io.verbena.roce.mad.MalformedMadException;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;

/// QP 1, which sends and receives connection management messages: one MAD of 256 bytes in a datagram. Owned by the
/// engine.
public final class ManagementPort {
    private final Transmitter transmitter;
    private final Counters counters;
    private ManagementHandler handler;
    private final PeerKinds peerKinds;
    private int psn;

    ManagementPort(Transmitter transmitter, Counters counters, PeerKinds peerKinds) {
        this.peerKinds = peerKinds;
        this.transmitter = transmitter;
        this.counters = counters;
        this.handler = new NoConnectionManager(this, counters);
    }

    /// Which peers are software devices like this one, as their messages show.
    public PeerKinds peerKinds() {
        return peerKinds;
    }

    /// Sets the receiver of all messages.
    public void handler(ManagementHandler handler) {
        this.handler = handler;
    }

    /// Returns false when the socket is full. The sender's retransmission covers that, as it covers packet loss.
    public boolean send(CmMessage message, long destinationHigh, long destinationLow) {
        int at = transmitter.claim();
        if (at < 0) {
            return false;
        }
        var memory = transmitter.memory();
        Bth.write(memory, at, Opcode.UD_SEND_ONLY.code(), false, 0, RoceConstants.GSI_QP, false, psn++ & 0xFF_FFFF);
        Deth.write(memory, at + Bth.BYTES, RoceConstants.GSI_QKEY, RoceConstants.GSI_QP);
        int payload = at + Opcode.UD_SEND_ONLY.headerBytes();
        message.encode(memory, payload);
        transmitter.send(at, payload + Mad.BYTES, 0, destinationHigh, destinationLow);
        return true;
    }

    void onPacket(PacketView packet, long sourceHigh, long sourceLow, long nowNs) {
        if (packet.opcode() != Opcode.UD_SEND_ONLY || packet.payloadBytes() != Mad.BYTES) {
            counters.increment(Counter.DROPPED_BAD_MAD);
            return;
        }
        if (packet.qkey() != RoceConstants.GSI_QKEY) {
            counters.increment(Counter.DROPPED_BAD_QKEY);
            return;
        }
        CmMessage message;
        try {
            message = CmMessage.decode(packet.payloadMemory(), (int) packet.payloadAt());
        } catch (MalformedMadException e) {
            counters.increment(Counter.DROPPED_BAD_MAD);
            return;
        }
        onMessage(message, sourceHigh, sourceLow, nowNs);
    }

    void onMessage(CmMessage message, long sourceHigh, long sourceLow, long nowNs) {
        handler.onMessage(message, sourceHigh, sourceLow, nowNs);
    }
}
