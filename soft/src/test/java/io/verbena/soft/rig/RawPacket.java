package io.verbena.soft.rig;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.AtomicAckEth;
import io.verbena.roce.header.AtomicEth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.Feth;
import io.verbena.roce.header.ImmDt;
import io.verbena.roce.header.Reth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A packet built by a test: correct except for the fields that the test sets. The ICRC is correct unless it is
/// damaged.
public final class RawPacket {
    private static final int ROOM = 8192;

    private final byte[] bytes = new byte[ROOM];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private final Opcode opcode;
    private byte[] payload = {};
    private int pad = -1;
    private int damage;
    private boolean countedTwice;
    private int cut;

    public RawPacket(Opcode opcode, int destinationQp, int psn) {
        this.opcode = opcode;
        Bth.write(memory, 0, opcode.code(), false, 0, destinationQp, false, psn);
        if (opcode.has(Header.AETH)) {
            aeth(0x1F, 1);
        }
    }

    public RawPacket ackRequested() {
        Bth.ackRequested(memory, 0, true);
        return this;
    }

    /// Another first byte; lengths stay those of the opcode it was made with.
    public RawPacket opcode(int code) {
        Bth.opcode(memory, 0, code);
        return this;
    }

    public RawPacket version(int version) {
        Bth.version(memory, 0, version);
        return this;
    }

    public RawPacket partition(int key) {
        Bth.partitionKey(memory, 0, key);
        return this;
    }

    public RawPacket destinationQp(int number) {
        Bth.destinationQp(memory, 0, number);
        return this;
    }

    public RawPacket reth(long address, int rkey, int length) {
        Reth.write(memory, opcode.offsetOf(Header.RETH), address, rkey, length);
        return this;
    }

    public RawPacket atomic(long address, int rkey, long swapOrAdd, long compare) {
        int at = opcode.offsetOf(Header.ATOMICETH);
        AtomicEth.virtualAddress(memory, at, address);
        AtomicEth.rkey(memory, at, rkey);
        AtomicEth.swapOrAdd(memory, at, swapOrAdd);
        AtomicEth.compare(memory, at, compare);
        return this;
    }

    public RawPacket original(long value) {
        AtomicAckEth.original(memory, opcode.offsetOf(Header.ATOMICACKETH), value);
        return this;
    }

    public RawPacket feth(int types, int selectivity) {
        Feth.write(memory, opcode.offsetOf(Header.FETH), types, selectivity);
        return this;
    }

    public RawPacket aeth(int syndrome, int msn) {
        Aeth.write(memory, opcode.offsetOf(Header.AETH), syndrome, msn);
        return this;
    }

    public RawPacket deth(int qkey, int sourceQp) {
        Deth.write(memory, opcode.offsetOf(Header.DETH), qkey, sourceQp);
        return this;
    }

    public RawPacket immediate(int value) {
        ImmDt.immediate(memory, opcode.offsetOf(Header.IMMDT), value);
        return this;
    }

    public RawPacket payload(byte[] data) {
        payload = data;
        return this;
    }

    public RawPacket payload(int length) {
        byte[] data = new byte[length];
        java.util.Arrays.fill(data, (byte) 0x77);
        return payload(data);
    }

    /// Sets another pad count than the length requires, and sends that many pad bytes.
    public RawPacket pad(int count) {
        pad = count;
        return this;
    }

    public RawPacket damagedIcrc() {
        damage = 0x0100_0001;
        return this;
    }

    /// Uses the ICRC that Linux's soft-RoCE computes for FLUSH.
    public RawPacket countedTwice() {
        countedTwice = true;
        return this;
    }

    /// Takes bytes off the end.
    public RawPacket cut(int count) {
        cut = count;
        return this;
    }

    /// The whole frame, BTH to ICRC, as it travels between those addresses.
    public byte[] encode(Gid source, int sourcePort, Gid destination) {
        int padCount = pad >= 0 ? pad : -payload.length & 3;
        Bth.padCount(memory, 0, padCount);
        int at = opcode.headerBytes();
        System.arraycopy(payload, 0, bytes, at, payload.length);
        int end = at + payload.length + padCount;
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        Icrc.store(buffer, end, icrc(source, sourcePort, destination, buffer, end) ^ damage);
        return java.util.Arrays.copyOf(bytes, end + RoceConstants.ICRC_BYTES - cut);
    }

    private int icrc(Gid source, int port, Gid destination, ByteBuffer buffer, int end) {
        long high = destination.high();
        long low = destination.low();
        return countedTwice
                ? new Icrc().computeTwice(source.high(), source.low(), high, low, port, 0, buffer, 0, end)
                : new Icrc().compute(source.high(), source.low(), high, low, port, 0, buffer, 0, end);
    }
}
