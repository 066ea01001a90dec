package io.verbena.sockets;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Something that is made when it is asked for, once, without holding the carrier of a virtual thread.
final class MadeOnce<T> {
    private final Supplier<T> maker;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile T made;

    MadeOnce(Supplier<T> maker) {
        this.maker = maker;
    }

    T get() {
        T there = made;
        if (there == null) {
            lock.lock();
            try {
                there = made == null ? maker.get() : made;
                made = there;
            } finally {
                lock.unlock();
            }
        }
        return there;
    }
}
