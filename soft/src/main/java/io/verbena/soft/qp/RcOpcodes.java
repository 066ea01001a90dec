package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.verbs.attr.Operation;

/// The opcodes of the packets of a message on a reliable connection.
public final class RcOpcodes {
    private static final Opcode[][] TABLE = new Opcode[Operation.values().length][];

    static {
        row(Operation.SEND, Opcode.RC_SEND_FIRST, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST, Opcode.RC_SEND_ONLY);
        row(
                Operation.SEND_WITH_IMMEDIATE,
                Opcode.RC_SEND_FIRST,
                Opcode.RC_SEND_MIDDLE,
                Opcode.RC_SEND_LAST_WITH_IMMEDIATE,
                Opcode.RC_SEND_ONLY_WITH_IMMEDIATE);
        row(
                Operation.RDMA_WRITE,
                Opcode.RC_RDMA_WRITE_FIRST,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST,
                Opcode.RC_RDMA_WRITE_ONLY);
        row(
                Operation.RDMA_WRITE_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_FIRST,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE);
        row(
                Operation.RDMA_READ,
                Opcode.RC_RDMA_READ_RESPONSE_FIRST,
                Opcode.RC_RDMA_READ_RESPONSE_MIDDLE,
                Opcode.RC_RDMA_READ_RESPONSE_LAST,
                Opcode.RC_RDMA_READ_RESPONSE_ONLY);
        row(
                Operation.SEND_WITH_INVALIDATE,
                Opcode.RC_SEND_FIRST,
                Opcode.RC_SEND_MIDDLE,
                Opcode.RC_SEND_LAST_WITH_INVALIDATE,
                Opcode.RC_SEND_ONLY_WITH_INVALIDATE);
        single(Operation.COMPARE_AND_SWAP, Opcode.RC_COMPARE_SWAP);
        single(Operation.FETCH_AND_ADD, Opcode.RC_FETCH_ADD);
        single(Operation.ATOMIC_WRITE, Opcode.RC_ATOMIC_WRITE);
        single(Operation.FLUSH, Opcode.RC_FLUSH);
    }

    private RcOpcodes() {}

    private static void single(Operation operation, Opcode only) {
        row(operation, only, only, only, only);
    }

    private static void row(Operation operation, Opcode first, Opcode middle, Opcode last, Opcode only) {
        TABLE[operation.ordinal()] = new Opcode[] {middle, first, last, only};
    }

    /// Whether this device supports the operation.
    public static boolean supports(Operation operation) {
        return TABLE[operation.ordinal()] != null;
    }

    /// The opcode of a packet; for RDMA_READ that of the response.
    static Opcode of(Operation operation, boolean first, boolean last) {
        return TABLE[operation.ordinal()][(first ? 1 : 0) + (last ? 2 : 0)];
    }

    /// Whether the operation takes one of the READ and atomic credits, and has a response of its own.
    static boolean takesCredit(Operation operation) {
        return switch (operation) {
            case RDMA_READ, COMPARE_AND_SWAP, FETCH_AND_ADD, ATOMIC_WRITE, FLUSH -> true;
            default -> false;
        };
    }

    /// Whether the response is placed into the request's buffers.
    static boolean bringsData(Operation operation) {
        return switch (operation) {
            case RDMA_READ, COMPARE_AND_SWAP, FETCH_AND_ADD -> true;
            default -> false;
        };
    }
}
