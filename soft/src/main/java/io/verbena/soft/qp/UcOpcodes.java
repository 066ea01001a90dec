package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Transport;
import io.verbena.verbs.attr.Operation;
import java.util.List;

/// The opcodes of the packets of a message on an unreliable connection: those of a reliable connection, with other high
/// bits. There is none for SEND_WITH_INVALIDATE.
final class UcOpcodes {
    private static final List<Operation> OPERATIONS = List.of(
            Operation.SEND, Operation.SEND_WITH_IMMEDIATE, Operation.RDMA_WRITE, Operation.RDMA_WRITE_WITH_IMMEDIATE);

    private UcOpcodes() {}

    static boolean supports(Operation operation) {
        return OPERATIONS.contains(operation);
    }

    static Opcode of(Operation operation, boolean first, boolean last) {
        return Opcode.of(RcOpcodes.of(operation, first, last).code() | Transport.UC.base());
    }
}
