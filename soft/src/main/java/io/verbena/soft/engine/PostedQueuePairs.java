package io.verbena.soft.engine;

import io.verbena.soft.os.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Queue pairs with new work, each once: any thread adds, the engine's owner takes.
final class PostedQueuePairs {
    private static final VarHandle HEAD = FieldHandle.of(MethodHandles.lookup(), "head", ServedQueuePair.class);
    private static final VarHandle POSTED =
            FieldHandle.of(MethodHandles.lookup().in(ServedQueuePair.class), "posted", int.class);

    private volatile ServedQueuePair head;

    boolean isEmpty() {
        return head == null;
    }

    void add(ServedQueuePair qp) {
        if (!POSTED.compareAndSet(qp, 0, 1)) {
            return;
        }
        ServedQueuePair first;
        do {
            first = head;
            qp.nextPosted = first;
        } while (!HEAD.compareAndSet(this, first, qp));
    }

    /// Moves all queue pairs to `active`. The parameter is a class and not a lambda, which would allocate in each
    /// cycle.
    void takeAll(ActiveQueuePairs active) {
        ServedQueuePair qp = head == null ? null : (ServedQueuePair) HEAD.getAndSet(this, null);
        while (qp != null) {
            ServedQueuePair next = qp.nextPosted;
            qp.nextPosted = null;
            qp.posted = 0;
            active.add(qp);
            qp = next;
        }
    }
}
