package io.verbena.soft.cm;

import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;

/// Carries out on an id and its queue pair what the connection decides. Runs as the owner of the engine.
final class QueuePairHandler implements ConnectionHandler {
    private final SoftConnectionId id;

    QueuePairHandler(SoftConnectionId id) {
        this.id = id;
    }

    @Override
    public void connectQueuePair(QueuePairPlan plan) {
        SoftQueuePair qp = id.queuePair();
        qp.onFirstRequest(id.connection()::onFirstRequest);
        plan.apply(qp);
    }

    @Override
    public void failQueuePair() {
        SoftQueuePair qp = id.queuePair();
        if (qp == null) {
            return;
        }
        try {
            qp.modify(QueuePairChange.to(QueuePairState.ERR));
        } catch (RdmaException closedOrResetByProgram) {
            // Then no traffic is possible on it, which is all that is wanted.
            return;
        }
    }

    @Override
    public void onEvent(CmEventType type, int status, ConnectionParameters parameters) {
        id.eventChannel().put(new CmEvent(type, id, null, status, parameters, null));
    }
}
