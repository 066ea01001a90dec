package io.verbena.verbs;

import java.time.Duration;

/// Delivers the events of armed completion queues, so that threads can sleep instead of polling.
///
/// Arm the queue, poll it until empty, then wait here; a wake-up with nothing left to poll is normal (rule EV-2).
/// Taking an event acknowledges it, so closing a queue never waits for a program that has not yet acknowledged its
/// events (rule EV-6). Events of a closed queue are dropped; a thread that took one just before finds the queue closed
/// (EBADF). Counterpart of `struct ibv_comp_channel`.
public interface CompletionChannel extends Pollable, AutoCloseable {
    /// The device it was made from.
    Context context();

    /// Waits for an event and takes it: the queue that fired, or null when the time is over. Throws an
    /// [RdmaException] with EBADF when the channel is closed meanwhile, with EINTR when the thread is interrupted.
    /// Counterpart of `ibv_get_cq_event` followed by `ibv_ack_cq_events`.
    CompletionQueue await(Duration timeout);

    /// Takes an event that is there, else null at once.
    default CompletionQueue tryTake() {
        return await(Duration.ZERO);
    }

    /// Closes the channel and wakes threads that wait; EBUSY while queues use it. Counterpart of
    /// `ibv_destroy_comp_channel`.
    @Override
    void close();
}
