package io.verbena.soft.qp;

import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairType;

/// Which service carries which type of queue pair, and what each can do.
public final class TransportServices {
    private TransportServices() {}

    /// Whether a queue pair of that type can carry the operation out on this device.
    public static boolean supports(QueuePairType type, Operation operation) {
        return switch (type) {
            case RC -> RcOpcodes.supports(operation) || LocalOperations.contains(operation);
            case UC -> UcOpcodes.supports(operation) || LocalOperations.contains(operation);
            case UD -> operation.legalOn(type);
        };
    }

    static TransportService make(SoftQueuePair qp, SendQueue sends, ReceiveInHand receive, boolean signalsAll) {
        return switch (qp.type()) {
            case RC -> new ReliableConnection(qp, sends, receive, signalsAll);
            case UD -> new Datagram(qp, sends, receive, signalsAll);
            case UC -> new UnreliableConnection(qp, sends, receive, signalsAll);
        };
    }
}
