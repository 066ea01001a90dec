package io.verbena.soft.engine;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.AtomicAckEth;
import io.verbena.roce.header.AtomicEth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.Feth;
import io.verbena.roce.header.Ieth;
import io.verbena.roce.header.ImmDt;
import io.verbena.roce.header.Reth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.net.Frame;
import java.lang.foreign.MemorySegment;

/// The packet being processed: one reused object per engine over the wire's receive buffer.
public final class PacketView {
    private Frame frame;
    private MemorySegment memory;
    private int offset;
    private Opcode opcode;
    /// The BTH, read at once.
    private long base;

    private int ackAndPsn;
    private int payloadBytes;
    private long payloadAt;

    PacketView() {}

    /// Points at a frame; false when it is too short for its own headers, pad and ICRC.
    boolean wrap(Frame frame, Opcode opcode) {
        this.frame = frame;
        this.memory = frame.memory();
        this.offset = frame.offset();
        this.opcode = opcode;
        this.base = Bth.first(memory, offset);
        this.ackAndPsn = Bth.second(memory, offset);
        this.payloadBytes = frame.length() - opcode.headerBytes() - padCount() - RoceConstants.ICRC_BYTES;
        this.payloadAt = offset + opcode.headerBytes();
        return payloadBytes >= 0;
    }

    /// The frame, with the fields of its IP header.
    public Frame frame() {
        return frame;
    }

    /// Whether the packet was sent to a multicast group.
    public boolean isToGroup() {
        return frame.isToGroup();
    }

    public Opcode opcode() {
        return opcode;
    }

    public int psn() {
        return Bth.psn(ackAndPsn);
    }

    public int destinationQp() {
        return Bth.destinationQp(base);
    }

    public boolean ackRequested() {
        return Bth.ackRequested(ackAndPsn);
    }

    public boolean solicited() {
        return Bth.solicited(base);
    }

    public int padCount() {
        return Bth.padCount(base);
    }

    public int payloadBytes() {
        return payloadBytes;
    }

    /// The memory that holds the payload, from [#payloadAt] on.
    public MemorySegment payloadMemory() {
        return memory;
    }

    public long payloadAt() {
        return payloadAt;
    }

    public long remoteAddress() {
        return Reth.virtualAddress(memory, at(Header.RETH));
    }

    public int rkey() {
        return Reth.rkey(memory, at(Header.RETH));
    }

    public long dmaLength() {
        return Reth.lengthUnsigned(memory, at(Header.RETH));
    }

    /// The address of an atomic.
    public long atomicAddress() {
        return AtomicEth.virtualAddress(memory, at(Header.ATOMICETH));
    }

    public int atomicKey() {
        return AtomicEth.rkey(memory, at(Header.ATOMICETH));
    }

    public long swapOrAdd() {
        return AtomicEth.swapOrAdd(memory, at(Header.ATOMICETH));
    }

    public long compare() {
        return AtomicEth.compare(memory, at(Header.ATOMICETH));
    }

    /// The value before an atomic.
    public long original() {
        return AtomicAckEth.original(memory, at(Header.ATOMICACKETH));
    }

    /// The placement types of a FLUSH, in the bits of [Feth].
    public int flushTypes() {
        return Feth.placementType(memory, at(Header.FETH));
    }

    public int flushSelectivity() {
        return Feth.selectivity(memory, at(Header.FETH));
    }

    /// The key that a SEND revokes.
    public int invalidatedKey() {
        return Ieth.rkey(memory, at(Header.IETH));
    }

    public int syndrome() {
        return Aeth.syndrome(memory, at(Header.AETH));
    }

    /// How many messages the peer has completed.
    public int msn() {
        return Aeth.msn(memory, at(Header.AETH));
    }

    public int qkey() {
        return Deth.qkey(memory, at(Header.DETH));
    }

    public int sourceQp() {
        return Deth.sourceQp(memory, at(Header.DETH));
    }

    public int immediate() {
        return ImmDt.immediate(memory, at(Header.IMMDT));
    }

    private int at(Header header) {
        return offset + opcode.offsetOf(header);
    }
}
