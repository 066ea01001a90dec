package io.verbena.verbs;

import java.time.Duration;

/// A context's asynchronous events. Counterpart of `async_fd` in `struct ibv_context`.
public interface AsyncEventChannel extends Pollable {
    /// Waits for an event and takes it; null when the time is over. Counterpart of `ibv_get_async_event` and
    /// `ibv_ack_async_event`.
    AsyncEvent await(Duration timeout);

    default AsyncEvent tryTake() {
        return await(Duration.ZERO);
    }
}
