package io.verbena.soft.qp;

import io.verbena.roce.header.Feth;
import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.mem.RemoteWords;
import io.verbena.verbs.attr.Operation;

/// What the packet of a READ, atomic, ATOMIC_WRITE or FLUSH says, in the words of [RemoteOperations]: the same fields
/// whichever headers hold them. A field that such a packet does not have is 0.
final class RequestFields {
    private RequestFields() {}

    static Operation operation(PacketView packet) {
        Opcode opcode = packet.opcode();
        return switch (opcode) {
            case RC_RDMA_READ_REQUEST -> Operation.RDMA_READ;
            case RC_COMPARE_SWAP -> Operation.COMPARE_AND_SWAP;
            case RC_FETCH_ADD -> Operation.FETCH_AND_ADD;
            case RC_ATOMIC_WRITE -> Operation.ATOMIC_WRITE;
            case RC_FLUSH -> Operation.FLUSH;
            default -> throw new IllegalArgumentException(opcode + " is no READ, atomic or FLUSH");
        };
    }

    private static boolean isAtomic(PacketView packet) {
        return packet.opcode().has(Header.ATOMICETH);
    }

    private static boolean isFlush(PacketView packet) {
        return packet.opcode().has(Header.FETH);
    }

    static int key(PacketView packet) {
        return isAtomic(packet) ? packet.atomicKey() : packet.rkey();
    }

    static long address(PacketView packet) {
        return isAtomic(packet) ? packet.atomicAddress() : packet.remoteAddress();
    }

    /// Atomics do not tell it: they are of one word.
    static long length(PacketView packet) {
        return isAtomic(packet) ? RemoteWords.BYTES : packet.dmaLength();
    }

    static int flushTypes(PacketView packet) {
        return isFlush(packet) ? packet.flushTypes() : 0;
    }

    static int selectivity(PacketView packet) {
        return isFlush(packet) ? packet.flushSelectivity() : Feth.RANGE;
    }

    /// What a FETCH_AND_ADD adds, or what a COMPARE_AND_SWAP compares with.
    static long operand(PacketView packet) {
        if (!isAtomic(packet)) {
            return 0;
        }
        return packet.opcode() == Opcode.RC_FETCH_ADD ? packet.swapOrAdd() : packet.compare();
    }

    static long swap(PacketView packet) {
        return packet.opcode() == Opcode.RC_COMPARE_SWAP ? packet.swapOrAdd() : 0;
    }
}
