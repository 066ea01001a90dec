package io.verbena.soft.qp;

import io.verbena.soft.local.LaneLayout;
import io.verbena.soft.local.PeerLane;
import io.verbena.soft.local.RingReader;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;

/// Takes the peer's replies out of the reply ring and places them into the buffers of the requests, in order. The peer
/// is not trusted. Guarded by the send lock.
final class LocalReplies {
    /// The most entries taken in one call, so that a peer that never stops cannot block the send lock.
    private static final int BUDGET = 256;

    private final TransportService service;
    private final SendQueue queue;
    private PeerLane lane;
    private RingReader ring;
    /// The oldest request whose reply is not complete, and how many bytes of it were placed.
    private long position;

    private long placed;
    private CompletionStatus failure;

    LocalReplies(TransportService service, SendQueue queue) {
        this.service = service;
        this.queue = queue;
    }

    void attach(PeerLane to) {
        lane = to;
        ring = to.replies();
        position = queue.head();
        placed = 0;
        failure = null;
    }

    long consumed() {
        return ring.head();
    }

    /// The request whose reply is taken next.
    long position() {
        return position;
    }

    CompletionStatus failure() {
        return failure;
    }

    private boolean brings(long request) {
        return RcOpcodes.bringsData(queue.operation(request)) && queue.wentOut(request) && queue.length(request) > 0;
    }

    /// Whether a part of the reply to a request in flight is missing.
    boolean isExpected(long request) {
        return request >= position && brings(request);
    }

    /// Whether a part of the reply to any request before that one is missing.
    boolean isAnyExpected(long outEnd) {
        for (long request = Math.max(position, queue.head()); request < outEnd; request++) {
            if (brings(request)) {
                return true;
            }
        }
        return false;
    }

    /// Takes all replies in the ring. False when one cannot be placed.
    boolean take(long outEnd) {
        if (failure != null) {
            return false;
        }
        boolean any = false;
        for (int budget = BUDGET; budget > 0 && ring.next(); budget--) {
            position = Math.max(position, queue.head());
            while (position < outEnd && !brings(position)) {
                position++;
            }
            failure = position == outEnd ? CompletionStatus.BAD_RESPONSE : place();
            if (failure != null) {
                return false;
            }
            any = true;
        }
        if (any) {
            lane.publishRepliesConsumed(ring.head());
            lane.wakeResponder();
        }
        return true;
    }

    private CompletionStatus place() {
        long form = ring.form();
        int length = LaneLayout.length(form);
        Operation operation = queue.operation(position);
        // Empty replies would count as progress of a peer that never answers.
        if (length == 0
                || LaneLayout.kind(form) != operation.ordinal()
                || !ring.holds(length)
                || length > queue.length(position) - placed) {
            return CompletionStatus.BAD_RESPONSE;
        }
        boolean kept = queue.scatter(service.access, position, placed, ring.memory(), ring.bytesAt(), length);
        if (!kept) {
            return CompletionStatus.LOCAL_PROTECTION_ERROR;
        }
        ring.consume(LaneLayout.cells(length));
        placed += length;
        if (placed == queue.length(position)) {
            position++;
            placed = 0;
        }
        return null;
    }
}
