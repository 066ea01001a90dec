package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionSource;
import io.verbena.soft.mem.MemoryAccess;
import io.verbena.soft.mem.MemoryUser;
import io.verbena.soft.mem.ScatterGather;
import java.lang.foreign.MemorySegment;

/// The receive for the message that is being received. It is taken when a message begins, and released when it is
/// completed. A receive of the queue pair's own queue stays in its slot; a receive of a shared queue is copied, and
/// belongs to this queue pair alone. Guarded by the engine, on the local path by the lock of the responder.
final class CurrentReceive {
    private final MemoryUser user;
    /// One of the two is null.
    private final ReceiveQueue own;

    private final SoftSharedReceiveQueue shared;
    private MemoryAccess access;

    private boolean taken;
    private long wrId;
    /// The words that hold the buffers, from `at` on.
    private long[] words;

    private int at;
    private int count;

    private CurrentReceive(MemoryUser user, ReceiveQueue own, SoftSharedReceiveQueue shared, long[] words) {
        this.user = user;
        this.own = own;
        this.shared = shared;
        this.words = words;
    }

    static CurrentReceive of(MemoryUser user, ReceiveQueue queue) {
        return new CurrentReceive(user, queue, null, null);
    }

    static CurrentReceive of(SoftSharedReceiveQueue queue) {
        return new CurrentReceive(queue, null, queue, queue.newReceiveWords());
    }

    /// The user whose domain the buffers must be in.
    MemoryUser user() {
        return user;
    }

    /// Sets the access to the buffers; once, before the first message.
    void access(MemoryAccess ofUser) {
        access = ofUser;
    }

    /// Whether receives come from a shared receive queue.
    boolean isSharedQueue() {
        return shared != null;
    }

    /// Takes a receive, unless one is taken already. False when there is none.
    boolean take() {
        if (!taken) {
            taken = own != null ? takeOwn() : shared.take(this);
        }
        return taken;
    }

    private boolean takeOwn() {
        if (own.isEmpty()) {
            return false;
        }
        long position = own.head();
        long[] page = own.words(position);
        int slot = own.slot(position);
        // A store of a reference costs the garbage collector's barrier, and the page seldom changes.
        if (words != page) {
            words = page;
        }
        wrId = ReceiveQueue.wrId(page, slot);
        count = ReceiveQueue.bufferCount(page, slot);
        at = ReceiveQueue.buffersAt(slot);
        return true;
    }

    /// Copies the oldest receive of the shared queue; under its lock.
    void fill(SharedReceiveRing ring) {
        wrId = ring.wrId();
        count = ring.take(words);
    }

    /// Like [#take], for flushing. Receives of a shared queue stay there for other queue pairs.
    boolean takeToFlush() {
        return own != null ? take() : taken;
    }

    /// Drops the queue pair's receives without completions.
    void clear() {
        if (own != null) {
            own.clear();
        } else if (taken) {
            shared.onLost();
        }
        taken = false;
    }

    long wrId() {
        return wrId;
    }

    long capacityBytes() {
        return ReceiveQueue.capacityBytes(words, at, count);
    }

    /// Places bytes of the message `skip` bytes into the receive. False when a buffer does not allow it.
    boolean place(long skip, MemorySegment from, long fromAt, int bytes) {
        return access.scatter(words, at, count, skip, from, fromAt, bytes);
    }

    /// Takes a receive and places a whole message into it.
    Verdict placeWhole(MemorySegment from, long fromAt, int bytes) {
        if (!take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        if (bytes > (count == 1 ? ScatterGather.length(words[at + 1]) : capacityBytes())) {
            return Verdict.RECEIVE_TOO_SHORT;
        }
        return place(0, from, fromAt, bytes) ? Verdict.OK : Verdict.RECEIVE_PROTECTION;
    }

    /// The queue that the receive came from.
    CompletionSource source() {
        return own != null ? own : shared.ring();
    }

    /// The completion is about to be added to the completion queue.
    void onReported() {
        taken = false;
        if (own != null) {
            own.onReported();
            own.retire();
        }
    }

    /// A poller takes the completion directly.
    void onTaken() {
        taken = false;
        if (own != null) {
            own.retire();
        } else {
            shared.ring().onTaken();
        }
    }

    /// The completion queue was full, so no poller will take the completion.
    void onLost() {
        if (own != null) {
            own.onLost();
        } else {
            shared.onLost();
        }
    }
}
