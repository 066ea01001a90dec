package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/// The receive buffers of a hub, each of which is posted, or holds a message that the program has not closed, or is
/// idle: it waits to be posted again together with others. A connection adds as many as its peer may use, and there are
/// as many more as may be idle, so a peer that sends always finds one posted. Safe from any thread.
final class ReceiveBuffers implements AutoCloseable {
    /// Makes the work request id of a receive negative.
    static final long RECEIVE = Long.MIN_VALUE;

    /// How many are posted again at once, and how many there are beyond those that connections need.
    static final int BATCH = 16;

    private final Slab slab;
    private final Supplier<ReceiveRequest> newRequest;
    private final ToIntFunction<List<ReceiveRequest>> post;

    private volatile ReceiveRequest[] requests = {};
    private volatile MemorySegment[] segments = {};

    /// The bytes of the last message in each buffer that the program looked at: most have the length of that before.
    private volatile MemorySegment[] payloads = {};

    private final ShortLock lock = new ShortLock();

    // ---- under the lock ----
    /// How many the open connections need.
    private int needed;

    /// How many are posted, hold a message, or are idle.
    private int used;

    private final ArrayList<ReceiveRequest> idle = new ArrayList<>(BATCH);

    /// @param newRequest makes a request of the queue that receives are posted to
    /// @param post posts receives there, and returns how many it has taken
    ReceiveBuffers(
            ProtectionDomain pd,
            int bufferBytes,
            Supplier<ReceiveRequest> newRequest,
            ToIntFunction<List<ReceiveRequest>> post) {
        this.slab = new Slab(pd, bufferBytes, Integer.MAX_VALUE);
        this.newRequest = newRequest;
        this.post = post;
    }

    /// How many requests the receive queue must have room for when connections need so many.
    static int room(int needed) {
        return needed + BATCH;
    }

    /// How many the open connections need.
    int needed() {
        return change(0, 0);
    }

    /// Returns how many the open connections need then.
    private int change(int neededBy, int usedBy) {
        lock.lock();
        try {
            needed += neededBy;
            used += usedBy;
            return needed;
        } finally {
            lock.unlock();
        }
    }

    /// Posts so many more.
    synchronized void add(int count) {
        int now = change(count, 0);
        while (tryUse(room(now))) {
            int slot = slab.take();
            prepare(slot);
            if (post.applyAsInt(List.of(requests[slot])) == 0) {
                slab.give(slot);
                change(-count, -1);
                throw new IllegalStateException("the receive queue has no room for %d receives".formatted(room(now)));
            }
        }
    }

    /// Counts one more. False when so many are used already.
    private boolean tryUse(int most) {
        lock.lock();
        try {
            boolean isMore = used < most;
            used += isMore ? 1 : 0;
            return isMore;
        } finally {
            lock.unlock();
        }
    }

    private void prepare(int slot) {
        if (slot >= requests.length) {
            int length = Math.max(2 * requests.length, slot + 1);
            requests = Arrays.copyOf(requests, length);
            segments = Arrays.copyOf(segments, length);
            payloads = Arrays.copyOf(payloads, length);
        }
        if (requests[slot] == null) {
            segments[slot] = slab.segment(slot);
            requests[slot] =
                    newRequest.get().wrId(RECEIVE | slot).into(slab.region(slot), slab.offset(slot), slab.slotBytes());
        }
    }

    /// So many fewer are needed: those that come back are not posted again.
    void remove(int count) {
        change(-count, 0);
    }

    /// The bytes of a buffer.
    MemorySegment segment(int slot) {
        return segments[slot];
    }

    /// The bytes of a message in a buffer.
    MemorySegment payload(int slot, int length) {
        MemorySegment[] known = payloads;
        MemorySegment payload = known[slot];
        if (payload == null || payload.byteSize() != length) {
            payload = segments[slot].asSlice(MessageHeader.BYTES, length);
            known[slot] = payload;
        }
        return payload;
    }

    /// The message in a buffer is not needed any more: posts the buffer again, with the next ones that come back.
    void release(int slot) {
        lock.lock();
        try {
            takeBack(slot);
        } finally {
            lock.unlock();
        }
    }

    /// As [#release(int)], and counts a message that the program is done with.
    ///
    /// @param slot [Slab#NONE] for a message that was in no buffer
    void release(int slot, Credits counter) {
        lock.lock();
        try {
            counter.countReleased();
            if (slot != Slab.NONE) {
                takeBack(slot);
            }
        } finally {
            lock.unlock();
        }
    }

    private void takeBack(int slot) {
        if (used > room(needed)) {
            used--;
            slab.give(slot);
        } else {
            idle.add(requests[slot]);
            if (idle.size() == BATCH) {
                postIdle();
            }
        }
    }

    private void postIdle() {
        try {
            int posted = post.applyAsInt(idle);
            if (posted < idle.size()) {
                throw new IllegalStateException("%d of %d receives do not fit the queue, which has room for all"
                        .formatted(idle.size() - posted, idle.size()));
            }
        } catch (RdmaException e) {
            if (e.errno() != Errno.EBADF) { // the queue was closed, and needs them no more
                throw e;
            }
        } finally {
            idle.clear();
        }
    }

    @Override
    public void close() {
        slab.close();
    }
}
