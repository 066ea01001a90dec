package io.verbena.soft.engine;

import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.roce.packet.Transport;
import io.verbena.soft.net.Frame;
import io.verbena.soft.net.FrameHandler;
import io.verbena.soft.net.Wire;
import io.verbena.soft.shard.SharedAddress;
import java.lang.foreign.MemorySegment;

/// Checks every packet that arrives and gives it to its queue pair. Packets that fail a check are counted and dropped
/// without an answer, as adapters do.
final class PacketDispatcher implements FrameHandler {
    private static final int SHORTEST = Bth.BYTES + RoceConstants.ICRC_BYTES;

    private final Engine engine;
    private final QueuePairTable queuePairs;
    private final MulticastTable multicast;
    private final ManagementPort management;
    private final Counters counters;
    private final PacketView packet = new PacketView();
    private final Icrc icrc = new Icrc();
    private final IdentificationCheck identifications;
    private long nowNs;

    /// @param engine has its tables, counters and management port already
    PacketDispatcher(Engine engine) {
        this.engine = engine;
        this.queuePairs = engine.queuePairs();
        this.multicast = engine.multicast();
        this.management = engine.management();
        this.counters = engine.counters();
        SharedAddress address = engine.wire().sharedAddress();
        this.identifications = new IdentificationCheck(() -> address != null && address.isShared());
    }

    /// Sets the arrival time of the next batch of packets.
    void nowNs(long nowNs) {
        this.nowNs = nowNs;
    }

    @Override
    public void onFrame(Frame frame) {
        counters.increment(Counter.PACKETS_RECEIVED);
        counters.add(Counter.BYTES_RECEIVED, frame.length());
        Counter fault = check(frame);
        if (fault != null) {
            counters.increment(fault);
            return;
        }
        int number = packet.destinationQp();
        // Packets to a group carry the multicast QP number 0xFFFFFF, and no other packets do.
        if (packet.isToGroup() != (number == RoceConstants.MULTICAST_QP)) {
            counters.increment(Counter.DROPPED_UNKNOWN_QP);
            return;
        }
        if (number == RoceConstants.GSI_QP) {
            management.onPacket(packet, frame.sourceHigh(), frame.sourceLow(), nowNs);
            return;
        }
        if (packet.isToGroup()) {
            if (!multicast.deliver(packet, this)) {
                counters.increment(Counter.DROPPED_UNKNOWN_QP);
            }
            return;
        }
        ServedQueuePair qp = queuePairs.find(number);
        if (qp == null) {
            counters.increment(Counter.DROPPED_UNKNOWN_QP);
            return;
        }
        deliver(packet, qp);
    }

    /// Gives a sound packet to a queue pair if the queue pair admits it.
    void deliver(PacketView packet, ServedQueuePair qp) {
        Frame frame = packet.frame();
        try {
            Counter fault = qp.admits(packet, frame.sourceHigh(), frame.sourceLow());
            if (fault != null) {
                counters.increment(fault);
                return;
            }
            qp.onPacket(packet, nowNs);
        } catch (RuntimeException e) {
            engine.onFault(qp, e);
        }
    }

    /// The checks that need no queue pair, in the order of the specification; null when the packet is sound.
    private Counter check(Frame frame) {
        MemorySegment memory = frame.memory();
        int offset = frame.offset();
        int length = frame.length();
        if (length < SHORTEST) {
            return Counter.DROPPED_TRUNCATED;
        }
        // Receive slots are longer than the longest packet. A packet that fills its slot was truncated.
        if (length >= Wire.FRAME_BYTES) {
            return Counter.DROPPED_OVERSIZED;
        }
        Opcode opcode = Opcode.of(Bth.opcode(memory, offset));
        if (opcode == null) {
            return Counter.DROPPED_UNKNOWN_OPCODE;
        }
        if (opcode.transport() == Transport.CNP) {
            return Counter.DROPPED_CONGESTION_NOTICE;
        }
        if (!packet.wrap(frame, opcode)) {
            return Counter.DROPPED_TRUNCATED;
        }
        if (Bth.version(memory, offset) != 0) {
            return Counter.DROPPED_BAD_VERSION;
        }
        // Full or limited member of the default partition; this side is a full member.
        if ((Bth.partitionKey(memory, offset) & 0x7FFF) != (RoceConstants.DEFAULT_PARTITION_KEY & 0x7FFF)) {
            return Counter.DROPPED_BAD_PARTITION;
        }
        return hasIcrc(frame, opcode) ? null : Counter.DROPPED_BAD_ICRC;
    }

    /// A FLUSH may come from Linux's soft-RoCE, whose ICRC covers the headers twice.
    private boolean hasIcrc(Frame frame, Opcode opcode) {
        if (accepts(frame, identification(frame, false))
                || opcode.has(Header.FETH) && accepts(frame, identification(frame, true))) {
            return true;
        }
        if (isIpv4(frame)) {
            identifications.onDamage((int) frame.sourceLow(), frame.sourcePort(), (int) frame.destinationLow());
        }
        return false;
    }

    private boolean accepts(Frame frame, int identification) {
        return identification != Icrc.DAMAGED
                && (!isIpv4(frame)
                        || identifications.accepts(
                                (int) frame.sourceLow(),
                                frame.sourcePort(),
                                (int) frame.destinationLow(),
                                identification,
                                nowNs));
    }

    private static boolean isIpv4(Frame frame) {
        return frame.sourceHigh() == 0 && frame.sourceLow() >>> 32 == 0xFFFF;
    }

    private int identification(Frame frame, boolean twice) {
        long sourceHigh = frame.sourceHigh();
        long sourceLow = frame.sourceLow();
        long high = frame.destinationHigh();
        long low = frame.destinationLow();
        int port = frame.sourcePort();
        int from = frame.offset();
        int to = from + frame.length();
        return twice
                ? icrc.identificationTwice(sourceHigh, sourceLow, high, low, port, frame.bytes(), from, to)
                : icrc.identification(sourceHigh, sourceLow, high, low, port, frame.bytes(), from, to);
    }
}
