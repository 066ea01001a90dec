package io.verbena.soft.qp;

import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairType;

/// Creates the services of the queue pair types, and knows the operations that each supports.
public final class TransportServices {
    private TransportServices() {}

    /// Whether queue pairs of that type support the operation on this device.
    public static boolean supports(QueuePairType type, Operation operation) {
        return switch (type) {
            case RC -> RcOpcodes.supports(operation) || KeyOperations.contains(operation);
            case UC -> UcOpcodes.supports(operation) || KeyOperations.contains(operation);
            case UD -> operation.legalOn(type);
        };
    }

    static TransportService make(SoftQueuePair qp, SendQueue sends, CurrentReceive receive, boolean signalsAll) {
        return switch (qp.type()) {
            case RC -> new ReliableConnection(qp, sends, receive, signalsAll);
            case UD -> new Datagram(qp, sends, receive, signalsAll);
            case UC -> new UnreliableConnection(qp, sends, receive, signalsAll);
        };
    }
}
