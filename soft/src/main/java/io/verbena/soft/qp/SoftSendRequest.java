package io.verbena.soft.qp;

import io.verbena.soft.engine.Destination;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.spi.SendRequestFields;

/// A send request that is being filled in. The queue copies its fields when it is posted.
final class SoftSendRequest extends SendRequestFields {
    /// The queue pair that created the request. No other takes it.
    final SoftQueuePair maker;

    final SoftBufferList buffers;
    /// What a datagram's address handle names; set by the check. The queue has a copy, so the handle may be closed once
    /// the request is posted. Null for connections.
    Destination destination;

    /// Whether [MemoryWindow#bind] created the request, for a window of type 1.
    private boolean boundByCall;

    SoftSendRequest(SoftQueuePair maker, int maxScatterGather) {
        this(maker, new SoftBufferList(maxScatterGather));
    }

    private SoftSendRequest(SoftQueuePair maker, SoftBufferList buffers) {
        super(buffers);
        this.maker = maker;
        this.buffers = buffers;
    }

    /// The request that [MemoryWindow#bind] posts.
    static SoftSendRequest bindByCall(
            SoftQueuePair qp, MemoryWindow window, int rkey, long wrId, MemoryWindowBind bind) {
        SoftSendRequest request = new SoftSendRequest(qp, 0);
        request.boundByCall = true;
        Access[] access = bind.access().toArray(Access[]::new);
        request.wrId(wrId)
                .bindMemoryWindow(window, rkey, bind.region(), bind.address(), bind.length(), access)
                .signaled(bind.signaled())
                .fenced(bind.fenced());
        return request;
    }

    @Override
    protected void onTarget() {
        buffers.checked(false);
    }

    @Override
    protected void onChange() {
        buffers.checked(false);
    }

    boolean isBoundByCall() {
        return boundByCall;
    }

    /// The length of the message: a word for an atomic, however long its buffer; 0 for operations without payload, even
    /// if an earlier use of the request left buffers.
    long messageBytes() {
        return switch (operation()) {
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> Long.BYTES;
            case FLUSH, LOCAL_INVALIDATE, BIND_MEMORY_WINDOW -> 0;
            default -> buffers.totalBytes();
        };
    }
}
