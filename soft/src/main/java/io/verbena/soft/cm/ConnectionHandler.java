package io.verbena.soft.cm;

import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;

/// Receives the events of a connection. Called by the owner of the engine; must not wait.
interface ConnectionHandler {
    /// For connections whose id was closed.
    ConnectionHandler NOBODY = new ConnectionHandler() {
        @Override
        public void connectQueuePair(int qpNumber, QueuePairPlan plan) {}

        @Override
        public void holdSends(boolean held) {}

        @Override
        public void failQueuePair() {}

        @Override
        public void onEvent(CmEventType type, int status, ConnectionParameters parameters) {}
    };

    /// Brings the queue pair from INIT to RTS; throws when that fails, or when the queue pair is closed.
    void connectQueuePair(int qpNumber, QueuePairPlan plan);

    /// Whether posted requests have to wait, because the peer may not be ready.
    void holdSends(boolean held);

    /// Brings the queue pair to the error state.
    void failQueuePair();

    void onEvent(CmEventType type, int status, ConnectionParameters parameters);
}
