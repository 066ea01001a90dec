package io.verbena.soft.cq;

import io.verbena.soft.engine.Engines;
import io.verbena.verbs.Context;

/// The context as queues of all kinds see it.
public interface QueueContext extends Context {
    @Override
    QueueDevice device();

    /// The engines that all contexts of the device share.
    Engines engines();

    @Override
    SoftAsyncEvents asyncEvents();

    /// A child of the context is closed.
    void forget(AutoCloseable child);
}
