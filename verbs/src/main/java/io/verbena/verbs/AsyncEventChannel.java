package io.verbena.verbs;

import java.time.Duration;

/// A context's asynchronous events. They are acknowledged as they are taken, so closing the object an event is about
/// waits for no program that has yet to do it; events of an object that is closed are dropped. Counterpart of
/// `async_fd` in `struct ibv_context`.
public interface AsyncEventChannel extends Pollable {
    /// Waits for an event and takes it; null when the time is over. Counterpart of `ibv_get_async_event` and
    /// `ibv_ack_async_event`.
    AsyncEvent await(Duration timeout);

    default AsyncEvent tryTake() {
        return await(Duration.ZERO);
    }
}
