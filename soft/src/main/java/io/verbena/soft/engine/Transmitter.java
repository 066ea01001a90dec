package io.verbena.soft.engine;

import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.net.Traffic;
import io.verbena.soft.net.Wire;
import io.verbena.soft.net.Wires;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/// Puts packets on the wire: pad, ICRC, counters. Owned by the engine.
public final class Transmitter {
    private final Wire wire;
    private final Counters counters;
    private final MemorySegment memory;
    private final ByteBuffer bytes;
    private final Icrc icrc = new Icrc();
    private final long sourceHigh;
    private final long sourceLow;
    private boolean refused;

    Transmitter(Wire wire, Counters counters) {
        this.wire = wire;
        this.counters = counters;
        this.memory = wire.sendMemory();
        this.bytes = wire.sendBytes();
        Gid source = Gid.of(wire.localAddress());
        this.sourceHigh = source.high();
        this.sourceLow = source.low();
    }

    public MemorySegment memory() {
        return memory;
    }

    public int claim() {
        int at = wire.claim();
        if (at < 0) {
            wire.flush();
            at = wire.claim();
            refused = at < 0;
        }
        return at;
    }

    public boolean isRefused() {
        return refused;
    }

    public void send(int from, int payloadEnd, int padCount, Destination destination) {
        send(from, payloadEnd, padCount, destination.high(), destination.low(), destination.traffic());
    }

    /// Sends with the default traffic class and hop limit.
    public void send(int from, int payloadEnd, int padCount, long destinationHigh, long destinationLow) {
        send(from, payloadEnd, padCount, destinationHigh, destinationLow, Traffic.DEFAULT);
    }

    /// Sends to a destination in plain values, without a [Destination].
    public void send(int from, int payloadEnd, int padCount, long destinationHigh, long destinationLow, long traffic) {
        for (int i = 0; i < padCount; i++) {
            memory.set(ValueLayout.JAVA_BYTE, payloadEnd + i, (byte) 0);
        }
        int end = payloadEnd + padCount;
        int id = identify(from, end, destinationHigh, destinationLow, traffic);
        int crc =
                icrc.compute(sourceHigh, sourceLow, destinationHigh, destinationLow, Wires.PORT, id, bytes, from, end);
        commit(from, end, crc, destinationHigh, destinationLow, traffic);
    }

    /// See [Icrc#computeTwice].
    public void sendCountedTwice(int from, int end, Destination to) {
        int id = identify(from, end, to.high(), to.low(), to.traffic());
        int crc = icrc.computeTwice(sourceHigh, sourceLow, to.high(), to.low(), Wires.PORT, id, bytes, from, end);
        commit(from, end, crc, to.high(), to.low(), to.traffic());
    }

    private int identify(int from, int end, long destinationHigh, long destinationLow, long traffic) {
        return wire.identify(end + RoceConstants.ICRC_BYTES - from, destinationHigh, destinationLow, traffic);
    }

    private void commit(int from, int end, int crc, long destinationHigh, long destinationLow, long traffic) {
        Icrc.store(bytes, end, crc);
        int length = end + RoceConstants.ICRC_BYTES - from;
        wire.commit(from, length, destinationHigh, destinationLow, traffic);
        counters.increment(Counter.PACKETS_SENT);
        counters.add(Counter.BYTES_SENT, length);
    }

    void flush() {
        if (wire.flush()) {
            refused = false;
        }
    }
}
