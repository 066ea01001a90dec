package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.net.GrhWriter;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.MemorySegment;

/// Places datagrams into receives, each behind its GRH. Owned by the engine.
final class DatagramReceiver {
    private final Datagram service;
    private final Engine engine;
    private final CurrentReceive receive;
    private final int mtu;
    private final MemorySegment header = MemorySegment.ofArray(new byte[GrhWriter.BYTES]);

    DatagramReceiver(Datagram service, int mtu) {
        this.service = service;
        this.engine = service.engine;
        this.receive = service.receive;
        this.mtu = mtu;
    }

    void onDatagram(PacketView packet) {
        int payload = packet.payloadBytes();
        long bytes = GrhWriter.BYTES + (long) payload;
        Counter fault = null;
        if (!packet.opcode().payloadRule().allows(payload, mtu) || packet.padCount() != (-payload & 3)) {
            fault = Counter.DROPPED_BAD_LENGTH;
        } else if (!receive.take()) {
            fault = Counter.DROPPED_NO_RECEIVE;
        } else if (receive.capacityBytes() < bytes) {
            // The receive is kept for a datagram that fits, as on the kernel's device.
            fault = Counter.DROPPED_RECEIVE_TOO_SHORT;
        }
        if (fault != null) {
            engine.counters().increment(fault);
            return;
        }
        GrhWriter.write(packet.frame(), header, 0);
        if (!receive.place(0, header, 0, GrhWriter.BYTES)
                || !receive.place(GrhWriter.BYTES, packet.payloadMemory(), packet.payloadAt(), payload)) {
            engine.counters().increment(Counter.DROPPED_RECEIVE_PROTECTION);
            service.completions.failReceive(CompletionStatus.LOCAL_PROTECTION_ERROR);
            service.enterError("a receive failed");
            return;
        }
        service.completions.receive(packet, bytes);
    }
}
