package io.verbena.soft.qp;

import io.verbena.soft.cq.QueueContext;
import io.verbena.verbs.ProtectionDomain;

/// The protection domain as queue pairs, shared receive queues and address handles see it.
public interface QueueDomain extends ProtectionDomain {
    @Override
    QueueContext context();

    /// The number that identifies the domain to neighbours.
    int id();

    /// A child of the domain is closed.
    void forget(AutoCloseable child);
}
