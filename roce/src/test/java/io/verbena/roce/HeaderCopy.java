package io.verbena.roce;

import io.verbena.roce.header.Aeth;
import io.verbena.roce.header.AtomicAckEth;
import io.verbena.roce.header.AtomicEth;
import io.verbena.roce.header.Bth;
import io.verbena.roce.header.Deth;
import io.verbena.roce.header.Feth;
import io.verbena.roce.header.Ieth;
import io.verbena.roce.header.ImmDt;
import io.verbena.roce.header.Reth;
import io.verbena.roce.header.XrcEth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import java.lang.foreign.MemorySegment;

/// Decodes the headers of a packet field by field and encodes them again elsewhere.
public final class HeaderCopy {
    private HeaderCopy() {}

    public static byte[] of(MemorySegment p, long from) {
        Opcode opcode = Opcode.of(Bth.opcode(p, from));
        byte[] copy = new byte[opcode.headerBytes()];
        MemorySegment q = MemorySegment.ofArray(copy);
        for (Header header : Header.values()) {
            if (opcode.has(header)) {
                copy(header, p, from + opcode.offsetOf(header), q, opcode.offsetOf(header));
            }
        }
        return copy;
    }

    private static void copy(Header header, MemorySegment p, long at, MemorySegment q, long to) {
        switch (header) {
            case BTH -> bth(p, at, q, to);
            case XRCETH -> XrcEth.sharedReceiveQueue(q, to, XrcEth.sharedReceiveQueue(p, at));
            case DETH -> Deth.write(q, to, Deth.qkey(p, at), Deth.sourceQp(p, at));
            case FETH -> Feth.write(q, to, Feth.placementType(p, at), Feth.selectivity(p, at));
            case RETH -> Reth.write(q, to, Reth.virtualAddress(p, at), Reth.rkey(p, at), Reth.length(p, at));
            case ATOMICETH -> {
                AtomicEth.virtualAddress(q, to, AtomicEth.virtualAddress(p, at));
                AtomicEth.rkey(q, to, AtomicEth.rkey(p, at));
                AtomicEth.swapOrAdd(q, to, AtomicEth.swapOrAdd(p, at));
                AtomicEth.compare(q, to, AtomicEth.compare(p, at));
            }
            case AETH -> Aeth.write(q, to, Aeth.syndrome(p, at), Aeth.msn(p, at));
            case ATOMICACKETH -> AtomicAckEth.original(q, to, AtomicAckEth.original(p, at));
            case IMMDT -> ImmDt.immediate(q, to, ImmDt.immediate(p, at));
            case IETH -> Ieth.rkey(q, to, Ieth.rkey(p, at));
        }
    }

    private static void bth(MemorySegment p, long at, MemorySegment q, long to) {
        Bth.write(
                q,
                to,
                Bth.opcode(p, at),
                Bth.solicited(p, at),
                Bth.padCount(p, at),
                Bth.destinationQp(p, at),
                Bth.ackRequested(p, at),
                Bth.psn(p, at));
        Bth.migrated(q, to, Bth.migrated(p, at));
        Bth.version(q, to, Bth.version(p, at));
        Bth.partitionKey(q, to, Bth.partitionKey(p, at));
        Bth.fecn(q, to, Bth.fecn(p, at));
        Bth.becn(q, to, Bth.becn(p, at));
    }
}
