package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionSource;
import io.verbena.soft.mem.MemoryUser;

/// The receive that the message being received goes into. It is taken when a message begins and stays in hand until it
/// is reported. Owned by the engine.
abstract class ReceiveInHand {
    /// Has one in hand, or takes the next one; false when there is none.
    abstract boolean take();

    /// As [#take], for a queue pair that serves no message any more. Receives that others may still use stay where
    /// they are.
    abstract boolean takeToFlush();

    /// Forgets the queue pair's receives without a trace.
    abstract void clear();

    /// Whether receives come from a queue that other queue pairs take from too.
    abstract boolean isShared();

    /// Whose domain the buffers must be of.
    abstract MemoryUser user();

    abstract long wrId();

    /// Words that hold the buffers, from [#buffersAt] on.
    abstract long[] words();

    abstract int buffersAt();

    abstract int bufferCount();

    abstract long capacityBytes();

    /// Whose completion it is.
    abstract CompletionSource source();

    /// Its completion is about to be queued; nothing is in hand any more.
    abstract void onReported();

    /// The completion queue was full, so nobody will take that completion.
    abstract void onLost();
}
