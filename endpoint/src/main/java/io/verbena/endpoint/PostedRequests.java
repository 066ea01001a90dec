package io.verbena.endpoint;

import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// The requests in the send queue of a connection: which are under way, and what to do when each of them is complete.
/// Posted under the lock of the [Sender], completed by the owner of the hub.
final class PostedRequests {
    /// Room for messages of the protocol.
    private static final int CONTROL_REQUESTS = 16;

    /// One in so many inline messages has a completion.
    private static final int SIGNALED_EACH = 16;

    /// Requests whose room comes back only with the completion of a later one, which may be a chain that waits for
    /// room.
    private static final int MOST_QUIET = SIGNALED_EACH - 1;

    /// Room in the send queue beyond that for messages.
    static final int EXTRA_REQUESTS = CONTROL_REQUESTS + MOST_QUIET;

    private static final VarHandle COMPLETED;

    static {
        try {
            COMPLETED = MethodHandles.lookup().findVarHandle(PostedRequests.class, "completed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final QueuePair qp;
    private final int depth;

    /// What to do when the request of a number is complete, by number modulo its length; null for nothing.
    private final AtomicReferenceArray<SentRequest> tracked;

    private final int mask;

    /// Written under the lock. Others may see it late.
    private int posted = Credits.FIRST;

    /// Written by the owner of the hub. Others may see it late: the owner itself looks again for threads that wait for
    /// room.
    private int completed = Credits.FIRST;

    /// @param depth room for messages and accesses
    PostedRequests(QueuePair qp, int depth) {
        this.qp = qp;
        this.depth = depth;
        int size = Integer.highestOneBit(depth + EXTRA_REQUESTS - 1) << 1;
        tracked = new AtomicReferenceArray<>(size);
        mask = size - 1;
    }

    // ---- of any thread ----

    /// How many were posted, modulo 2^32, beginning anywhere.
    int posted() {
        return posted;
    }

    private int completed() {
        return (int) COMPLETED.getAcquire(this);
    }

    /// Whether everything that was posted and had a completion is complete.
    boolean isIdle() {
        return posted == completed();
    }

    /// Whether so many could be posted at once. Of several the last has a completion, so they need not wait for that of
    /// requests which have none.
    boolean haveRoomFor(int requests) {
        return posted - completed() <= depth - requests + (requests > 1 ? MOST_QUIET : 0);
    }

    /// Whether a message of the protocol could be posted.
    boolean haveRoomForControl() {
        return posted - completed() < depth + EXTRA_REQUESTS;
    }

    // ---- under the lock ----

    /// Whether the next one needs a completion, so that the room of those before it comes back.
    boolean isCompletionDue() {
        return (posted & SIGNALED_EACH - 1) == SIGNALED_EACH - 1;
    }

    /// Posts a request; false when the queue has no room.
    ///
    /// @param onCompleted null when nobody wants to know
    boolean post(SendRequest request, SentRequest onCompleted) {
        int at = posted & mask;
        if (onCompleted != null) {
            tracked.setRelease(at, onCompleted);
        }
        request.wrId(posted & 0xFFFF_FFFFL);
        posted++; // before the post: the owner of the hub may see the completion at once
        boolean taken = false;
        try {
            taken = qp.post(request);
        } finally {
            if (!taken) {
                posted--;
                tracked.setRelease(at, null);
            }
        }
        return taken;
    }

    /// Posts requests in one go, of which the last has a completion. There is room for all.
    void postAll(List<SendRequest> chain, SentRequest onCompleted) {
        int count = chain.size();
        for (int i = 0; i < count; i++) {
            chain.get(i).wrId(posted + i & 0xFFFF_FFFFL);
        }
        int last = posted + count - 1 & mask;
        tracked.setRelease(last, onCompleted);
        posted += count; // as above
        int taken = 0;
        try {
            taken = qp.postSends(chain);
            if (taken < count) {
                throw new BadRequestException("read", taken, Errno.EIO.number(), "no room in the send queue");
            }
        } catch (BadRequestException e) {
            taken = e.index();
            throw e;
        } finally {
            if (taken < count) {
                posted -= count - taken;
                tracked.setRelease(last, null);
            }
        }
    }

    // ---- completions ----

    /// A request, and with it all before it, is complete. Of the owner of the hub.
    void onCompleted(int number, CompletionStatus status) {
        for (int each = completed; each - number <= 0; each++) {
            SentRequest request = tracked.getAcquire(each & mask);
            // Once: a thread that closes the connection may do the same.
            if (request != null && tracked.compareAndSet(each & mask, request, null)) {
                request.onCompleted(each == number ? status : CompletionStatus.SUCCESS);
            }
        }
        COMPLETED.setRelease(this, number + 1);
    }

    /// Completes what is left, after the queue pair was closed. Without the lock: what is done then may try to send.
    void flush() {
        for (int each = completed(); each - posted < 0; each++) {
            SentRequest request = tracked.getAndSet(each & mask, null);
            if (request != null) {
                request.onCompleted(CompletionStatus.WORK_REQUEST_FLUSHED);
            }
        }
        COMPLETED.setRelease(this, posted);
    }
}
