package io.verbena.soft.engine;

import io.verbena.soft.qp.SoftQueuePair;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Queue pairs with new work, linked through [SoftQueuePair#nextPosted]: put in by any thread, taken by the engine's
/// owner.
final class PostedQueuePairs {
    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(PostedQueuePairs.class, "newest", SoftQueuePair.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile SoftQueuePair newest;

    boolean isEmpty() {
        return newest == null;
    }

    void add(SoftQueuePair qp) {
        if (!qp.claimPosted()) {
            return;
        }
        SoftQueuePair head;
        do {
            head = newest;
            qp.nextPosted = head;
        } while (!NEWEST.compareAndSet(this, head, qp));
    }

    /// Owner only.
    void moveTo(ActiveQueuePairs active) {
        SoftQueuePair qp = newest == null ? null : (SoftQueuePair) NEWEST.getAndSet(this, null);
        while (qp != null) {
            SoftQueuePair next = qp.nextPosted;
            qp.nextPosted = null;
            qp.releasePosted();
            active.add(qp);
            qp = next;
        }
    }
}
