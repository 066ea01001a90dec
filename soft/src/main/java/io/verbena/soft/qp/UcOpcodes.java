package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Transport;
import io.verbena.verbs.attr.Operation;
import java.util.List;

/// Which packet of a message carries which opcode on an unreliable connection: that of a reliable one, with other
/// high bits. There is none for SEND_WITH_INVALIDATE.
final class UcOpcodes {
    private static final List<Operation> OPERATIONS = List.of(
            Operation.SEND, Operation.SEND_WITH_IMMEDIATE, Operation.RDMA_WRITE, Operation.RDMA_WRITE_WITH_IMMEDIATE);

    private static final Opcode[][] TABLE = new Opcode[Operation.values().length][];

    static {
        for (Operation operation : OPERATIONS) {
            TABLE[operation.ordinal()] = new Opcode[] {
                unreliable(RcOpcodes.of(operation, false, false)),
                unreliable(RcOpcodes.of(operation, true, false)),
                unreliable(RcOpcodes.of(operation, false, true)),
                unreliable(RcOpcodes.of(operation, true, true))
            };
        }
    }

    private UcOpcodes() {}

    private static Opcode unreliable(Opcode reliable) {
        return Opcode.of(reliable.code() | Transport.UC.base());
    }

    static boolean supports(Operation operation) {
        return TABLE[operation.ordinal()] != null;
    }

    static Opcode of(Operation operation, boolean first, boolean last) {
        return TABLE[operation.ordinal()][(first ? 1 : 0) + (last ? 2 : 0)];
    }
}
