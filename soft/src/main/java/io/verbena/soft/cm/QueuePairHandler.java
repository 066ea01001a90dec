package io.verbena.soft.cm;

import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.CmEventText;

/// Carries out on an id and its queue pair what the connection decides. Runs as the owner of the engine.
final class QueuePairHandler implements ConnectionHandler {
    private final SoftConnectionId id;
    private final ReliableConversation conversation;

    QueuePairHandler(SoftConnectionId id, ReliableConversation conversation) {
        this.id = id;
        this.conversation = conversation;
    }

    @Override
    public void connectQueuePair(int qpNumber, QueuePairPlan plan) {
        try {
            SoftQueuePair qp = id.queuePair();
            if (qp == null || qp.number() != qpNumber) {
                throw new RdmaException(
                        "connect QP 0x%x".formatted(qpNumber), Errno.EBADF, "it was closed before the peer answered");
            }
            qp.onFirstRequest(conversation.connection()::onFirstRequest);
            qp.onPeerGone(conversation.connection()::onPeerGone);
            plan.apply(qp);
        } catch (RuntimeException e) {
            id.failure().set(e);
            throw e;
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
            qp.modify(QueuePairChange.to(QueuePairState.ERR));
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
