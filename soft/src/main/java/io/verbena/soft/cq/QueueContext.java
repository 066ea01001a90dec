package io.verbena.soft.cq;

import io.verbena.soft.engine.Engine;
import io.verbena.verbs.Context;

/// What queues of all kinds need of their context: the engine that serves them, and whom they tell of errors and of
/// their end.
public interface QueueContext extends Context {
    @Override
    QueueDevice device();

    /// The engine that all contexts of the device share.
    Engine engine();

    @Override
    SoftAsyncEvents asyncEvents();

    /// A child of the context is closed.
    void forget(AutoCloseable child);
}
