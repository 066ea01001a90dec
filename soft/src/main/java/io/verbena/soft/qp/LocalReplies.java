package io.verbena.soft.qp;

import io.verbena.soft.local.LaneLayout;
import io.verbena.soft.local.PeerLane;
import io.verbena.soft.local.RingReader;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;

/// Takes the peer's answers out of the reply ring and puts them where the requests want them, in order. What the peer
/// wrote may be anything. Guarded by the send lock.
final class LocalReplies {
    /// Entries taken in one call, so that a peer that never stops cannot keep the send lock.
    private static final int BUDGET = 256;

    private final TransportService service;
    private final SendQueue queue;
    private PeerLane lane;
    private RingReader ring;
    /// The oldest request whose answer is not complete, and how much of it is there.
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

    /// The request whose answer is taken next.
    long position() {
        return position;
    }

    CompletionStatus failure() {
        return failure;
    }

    private boolean brings(long request) {
        return RcOpcodes.bringsData(queue.operation(request)) && queue.wentOut(request) && queue.length(request) > 0;
    }

    /// Whether a request that went out lacks a part of its answer.
    boolean isExpected(long request) {
        return request >= position && brings(request);
    }

    /// Whether a request before that one lacks a part of its answer.
    boolean isAnyExpected(long outEnd) {
        for (long request = Math.max(position, queue.head()); request < outEnd; request++) {
            if (brings(request)) {
                return true;
            }
        }
        return false;
    }

    /// Takes all answers that are there; false when one cannot be placed.
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
            lane.repliesConsumed(ring.head());
            lane.wakeResponder();
        }
        return true;
    }

    private CompletionStatus place() {
        long form = ring.form();
        int length = LaneLayout.length(form);
        Operation operation = queue.operation(position);
        if (LaneLayout.kind(form) != operation.ordinal()
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
