package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionSource;
import io.verbena.soft.mem.MemoryAccess;
import io.verbena.soft.mem.MemoryUser;
import java.lang.foreign.MemorySegment;

/// The receive that the message being received goes into. It is taken when a message begins and stays in hand until it
/// is reported. Guarded by the engine, on the local path by the lock of the responder.
abstract class ReceiveInHand {
    private MemoryAccess access;

    /// Whose access the buffers take; once, before the first message.
    final void access(MemoryAccess ofUser) {
        access = ofUser;
    }

    /// Places bytes of the message, from `skip` bytes of the receive on; false when a buffer does not allow it.
    final boolean place(long skip, MemorySegment from, long at, int bytes) {
        return access.scatter(words(), buffersAt(), bufferCount(), skip, from, at, bytes);
    }

    /// Takes a receive and places a whole message into it.
    final Verdict placeWhole(MemorySegment from, long at, int bytes) {
        if (!take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        long[] words = words();
        int first = buffersAt();
        int count = bufferCount();
        if (bytes > ReceiveQueue.capacityBytes(words, first, count)) {
            return Verdict.RECEIVE_TOO_SHORT;
        }
        boolean placed = access.scatter(words, first, count, 0, from, at, bytes);
        return placed ? Verdict.OK : Verdict.RECEIVE_PROTECTION;
    }

    /// Has one in hand, or takes the next one; false when there is none.
    abstract boolean take();

    /// As [#take], for a queue pair that serves no message any more. Receives that others may still use stay where
    /// they are.
    abstract boolean takeToFlush();

    /// Forgets the queue pair's receives without a trace.
    abstract void clear();

    /// Whether receives come from a queue that other queue pairs take from too.
    abstract boolean isSharedQueue();

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

    /// Its completion is taken without being queued; nothing is in hand any more.
    abstract void onTaken();

    /// The completion queue was full, so nobody will take that completion.
    abstract void onLost();
}
