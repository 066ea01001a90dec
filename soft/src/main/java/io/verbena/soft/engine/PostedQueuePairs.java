package io.verbena.soft.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Queue pairs with new work, each once: any thread adds, the engine's owner takes.
final class PostedQueuePairs {
    private static final VarHandle HEAD;
    private static final VarHandle POSTED;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(PostedQueuePairs.class, "head", ServedQueuePair.class);
            POSTED = MethodHandles.lookup().findVarHandle(ServedQueuePair.class, "posted", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

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

    /// All get in line; by name and not by a lambda, which would be garbage of each cycle.
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
