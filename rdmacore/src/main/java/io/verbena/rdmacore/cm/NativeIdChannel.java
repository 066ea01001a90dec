package io.verbena.rdmacore.cm;

/// The event channel of an id, whose lock is the id's. It may change while a thread waits for that lock; then the
/// thread takes the lock of the new one.
final class NativeIdChannel {
    private volatile NativeEventChannel now;

    NativeIdChannel(NativeEventChannel first) {
        this.now = first;
    }

    NativeEventChannel get() {
        return now;
    }

    /// Needs the locks of both channels.
    void set(NativeEventChannel next) {
        now = next;
    }

    /// Locks the channel, and returns it to be unlocked.
    NativeEventChannel lock() {
        while (true) {
            NativeEventChannel locked = now;
            locked.lock();
            if (locked == now) {
                return locked;
            }
            locked.unlock();
        }
    }

    /// Locks the channel and another, in the order of their numbers, so that two threads that do this do not wait for
    /// each other. Returns the first; both are to be unlocked.
    NativeEventChannel lockWith(NativeEventChannel other) {
        while (true) {
            NativeEventChannel locked = now;
            boolean isFirst = locked.number < other.number;
            (isFirst ? locked : other).lock();
            (isFirst ? other : locked).lock();
            if (locked == now) {
                return locked;
            }
            locked.unlock();
            other.unlock();
        }
    }
}
