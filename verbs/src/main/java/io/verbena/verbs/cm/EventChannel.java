package io.verbena.verbs.cm;

import io.verbena.verbs.Pollable;
import java.time.Duration;

/// Delivers the events of asynchronous ids. Counterpart of `struct rdma_event_channel`.
public interface EventChannel extends Pollable, AutoCloseable {
    /// Waits for an event and takes it: null when the time is over. Throws an [io.verbena.verbs.RdmaException] with
    /// EBADF when the channel is closed meanwhile, with EINTR when the thread is interrupted. Counterpart of
    /// `rdma_get_cm_event` and `rdma_ack_cm_event`.
    CmEvent await(Duration timeout);

    /// Takes an event that is there already; null when there is none.
    default CmEvent tryTake() {
        return await(Duration.ZERO);
    }

    /// Closes the channel and wakes threads that wait; EBUSY while ids use it. Counterpart of
    /// `rdma_destroy_event_channel`.
    @Override
    void close();
}
