package io.verbena.verbs;

import java.time.Duration;

/// Where armed completion queues announce that something came in, so that nobody needs to spin.
///
/// Arm the queue, poll it until empty, then wait here; a wake-up with nothing left to poll is normal (rule EV-2).
/// Events are acknowledged as they are taken, so closing a queue waits for no program that has yet to do it (rule
/// EV-6); events of a queue that is closed are dropped. Who took one just before finds the queue closed (EBADF).
/// Counterpart of `struct ibv_comp_channel`.
public interface CompletionChannel extends Pollable, AutoCloseable {
    Context context();

    /// Waits for an event and takes it: the queue that fired, or null when the time is over. Throws an
    /// [RdmaException] with EBADF when the channel is closed meanwhile, with EINTR when the thread is interrupted.
    /// Counterpart of `ibv_get_cq_event` followed by `ibv_ack_cq_events`.
    CompletionQueue await(Duration timeout);

    /// Takes an event that is there, else null at once.
    default CompletionQueue tryTake() {
        return await(Duration.ZERO);
    }

    /// Counterpart of `ibv_destroy_comp_channel`; EBUSY while queues use it. Threads that wait are woken.
    @Override
    void close();
}
