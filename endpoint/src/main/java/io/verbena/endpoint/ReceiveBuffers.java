package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The receive buffers of a hub, each of which is posted, or holds a message that the program has not closed, or is
/// spare. A connection adds as many as its peer may use, so a peer that sends always finds one posted. Safe from any
/// thread.
final class ReceiveBuffers implements AutoCloseable {
    /// Makes the work request id of a receive negative.
    static final long RECEIVE = Long.MIN_VALUE;

    private final Slab slab;
    private final Supplier<ReceiveRequest> newRequest;
    private final Predicate<ReceiveRequest> post;

    private volatile ReceiveRequest[] requests = {};
    private volatile MemorySegment[] segments = {};

    /// The bytes of the last message in each buffer that the program looked at: most have the length of that before.
    private volatile MemorySegment[] payloads = {};

    /// How many the open connections need; guarded by this, as is the next.
    private int needed;

    /// How many are posted or hold a message.
    private int used;

    /// @param newRequest makes a request of the queue that receives are posted to
    /// @param post posts a receive there; false when the queue is full
    ReceiveBuffers(
            ProtectionDomain pd, int bufferBytes, Supplier<ReceiveRequest> newRequest, Predicate<ReceiveRequest> post) {
        this.slab = new Slab(pd, bufferBytes, Integer.MAX_VALUE);
        this.newRequest = newRequest;
        this.post = post;
    }

    /// How many the open connections need.
    synchronized int needed() {
        return needed;
    }

    /// Posts so many more.
    synchronized void add(int count) {
        needed += count;
        while (used < needed) {
            int slot = slab.take();
            prepare(slot);
            if (!post.test(requests[slot])) {
                slab.give(slot);
                needed -= count;
                throw new IllegalStateException(
                        "the receive queue took %d receives, and %d are needed".formatted(used, needed + count));
            }
            used++;
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
    synchronized void remove(int count) {
        needed -= count;
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

    /// The message in a buffer is not needed any more: posts the buffer again.
    void release(int slot) {
        if (needed < used && drop(slot)) {
            return;
        }
        try {
            post.test(requests[slot]);
        } catch (RdmaException e) {
            if (e.errno() != Errno.EBADF) { // the queue was closed, and needs it no more
                throw e;
            }
        }
    }

    private synchronized boolean drop(int slot) {
        if (needed >= used) {
            return false;
        }
        used--;
        slab.give(slot);
        return true;
    }

    @Override
    public void close() {
        slab.close();
    }
}
