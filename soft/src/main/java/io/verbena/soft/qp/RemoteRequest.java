package io.verbena.soft.qp;

import io.verbena.roce.packet.Header;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.mem.RemoteWords;
import io.verbena.verbs.attr.Operation;

/// A peer's request in plain values, from the headers of a packet or from a ring entry. Reused for each request, by one
/// thread at a time. It holds no reference, not even the operation: storing one would cost the garbage collector's
/// barrier.
final class RemoteRequest {
    long address;
    int rkey;
    /// Of an atomic, whose header has no length, one word.
    long length;

    int immediate;
    /// What a FETCH_AND_ADD adds, or what a COMPARE_AND_SWAP compares with; of a SEND or WRITE in a ring the length of
    /// the whole message.
    long operand;
    /// The new value of a COMPARE_AND_SWAP.
    long swap;
    /// The placement types and the selectivity of a FLUSH, in the numbers of [Feth].
    int flushTypes;

    int selectivity;

    static Operation operation(Opcode opcode) {
        return switch (opcode) {
            case RC_RDMA_READ_REQUEST -> Operation.RDMA_READ;
            case RC_COMPARE_SWAP -> Operation.COMPARE_AND_SWAP;
            case RC_FETCH_ADD -> Operation.FETCH_AND_ADD;
            case RC_ATOMIC_WRITE -> Operation.ATOMIC_WRITE;
            case RC_FLUSH -> Operation.FLUSH;
            default -> throw new IllegalArgumentException(opcode + " is no READ, atomic or FLUSH");
        };
    }

    /// Reads the fields of a READ, atomic, ATOMIC_WRITE or FLUSH packet.
    void read(PacketView packet) {
        Opcode opcode = packet.opcode();
        if (opcode.has(Header.ATOMICETH)) {
            address = packet.atomicAddress();
            rkey = packet.atomicKey();
            length = RemoteWords.BYTES;
            swap = packet.swapOrAdd();
            operand = opcode == Opcode.RC_FETCH_ADD ? swap : packet.compare();
            return;
        }
        address = packet.remoteAddress();
        rkey = packet.rkey();
        length = packet.dmaLength();
        if (opcode.has(Header.FETH)) {
            flushTypes = packet.flushTypes();
            selectivity = packet.flushSelectivity();
        }
    }
}
