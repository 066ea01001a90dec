package io.verbena.soft.qp;

import io.verbena.soft.cq.QueueContext;
import io.verbena.verbs.ProtectionDomain;

/// What queue pairs, shared receive queues and address handles need of their protection domain.
public interface QueueDomain extends ProtectionDomain {
    @Override
    QueueContext context();

    /// The number by which neighbours tell the domain from others.
    int id();

    /// A child of the domain is closed.
    void forget(AutoCloseable child);
}
