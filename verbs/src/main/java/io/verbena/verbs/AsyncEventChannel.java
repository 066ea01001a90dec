package io.verbena.verbs;

import java.time.Duration;

/// A context's asynchronous events. Taking an event acknowledges it, so closing an object never waits for a program
/// that has not yet acknowledged its events. Events of a closed object are dropped. Counterpart of `async_fd` in
/// `struct ibv_context`.
public interface AsyncEventChannel extends Pollable {
    /// Waits for an event and takes it; null when the time is over. Counterpart of `ibv_get_async_event` and
    /// `ibv_ack_async_event`.
    AsyncEvent await(Duration timeout);

    /// Takes an event that is there already; null when there is none.
    default AsyncEvent tryTake() {
        return await(Duration.ZERO);
    }
}
