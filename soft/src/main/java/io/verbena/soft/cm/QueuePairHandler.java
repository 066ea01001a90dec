package io.verbena.soft.cm;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.CmEventText;
import io.verbena.verbs.spi.PeerText;

/// Applies the decisions of a connection to an id and its queue pair. Runs as the owner of the first engine.
final class QueuePairHandler implements ConnectionHandler {
    private final SoftConnectionId id;
    private final ConnectionProtocol protocol;

    QueuePairHandler(SoftConnectionId id, ConnectionProtocol protocol) {
        this.id = id;
        this.protocol = protocol;
    }

    @Override
    public void connectQueuePair(int qpNumber, QueuePairPlan plan) {
        try {
            SoftQueuePair qp = id.queuePair();
            if (qp == null || qp.number() != qpNumber) {
                throw new RdmaException(
                        PeerText.verb("connect QP 0x%x to".formatted(qpNumber), id.peerAddress()),
                        Errno.EBADF,
                        "it was closed before the peer answered");
            }
            CmConnection connection = protocol.connection();
            qp.onFirstRequest(() -> execute(qp, connection::onFirstRequest));
            qp.onPeerGone(
                    id.options().liveness().toNanos(), reason -> execute(qp, () -> connection.onPeerGone(reason)));
            plan.apply(qp);
        } catch (RuntimeException e) {
            id.failure().set(e);
            throw e;
        }
    }

    /// Runs a task of the connection for the owner of the queue pair's engine, who must not wait for another engine.
    private void execute(SoftQueuePair qp, Runnable task) {
        Engine engine = id.binding().device().engine();
        if (qp.isOf(engine)) {
            task.run();
        } else {
            engine.executeSoon(task);
        }
    }

    @Override
    public void holdSends(boolean held) {
        SoftQueuePair qp = id.queuePair();
        if (qp != null) {
            qp.holdSends(held);
        }
    }

    @Override
    public void failQueuePair() {
        SoftQueuePair qp = id.queuePair();
        if (qp == null) {
            return;
        }
        try {
            qp.fail();
        } catch (RdmaException closedOrResetByProgram) {
            // Then no traffic is possible on it, which is all that is wanted.
            return;
        }
    }

    @Override
    public void onEvent(CmEventType type, int status, ConnectionParameters parameters) {
        String explanation = CmEventText.of(type, status, id.failure().text(type));
        id.eventChannel().put(new CmEvent(type, id, null, status, parameters, null, explanation));
    }
}
