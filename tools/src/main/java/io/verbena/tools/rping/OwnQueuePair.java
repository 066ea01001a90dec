package io.verbena.tools.rping;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;

/// The queue pair of `-q`: the program creates it and moves it from state to state itself. The connection manager only
/// provides the attributes of each step, and sends the queue pair's number to the peer.
final class OwnQueuePair {
    private OwnQueuePair() {}

    static QueuePair create(ConnectionId id, QueuePairOptions options) {
        QueuePair qp = id.protectionDomain().createQueuePair(options);
        try {
            step(id, qp, QueuePairState.INIT);
            return qp;
        } catch (RuntimeException e) {
            qp.close();
            throw e;
        }
    }

    static void connect(ConnectionId id, QueuePair qp, ConnectionParameters parameters) {
        id.connect(parameters.withQpNumber(qp.number())); // until CONNECT_RESPONSE
        toReadyToSend(id, qp);
        id.establish();
    }

    static void accept(ConnectionId id, QueuePair qp, ConnectionParameters parameters) {
        toReadyToSend(id, qp);
        id.accept(parameters.withQpNumber(qp.number()));
    }

    /// Modifies to INIT a second time: only now does the connection manager know whether the peer may READ.
    private static void toReadyToSend(ConnectionId id, QueuePair qp) {
        step(id, qp, QueuePairState.INIT);
        step(id, qp, QueuePairState.RTR);
        step(id, qp, QueuePairState.RTS);
    }

    private static void step(ConnectionId id, QueuePair qp, QueuePairState to) {
        try {
            qp.modify(id.queuePairStep(to));
        } catch (UnsupportedVerbException e) {
            throw new ProgramException(
                    "-q: device " + e.device() + " does not offer " + e.verb() + "; run without -q", e);
        }
    }
}
