package io.verbena.soft.net;

import io.verbena.soft.os.Bell;
import java.net.InetAddress;

/// Bells of other processes whose end wakes a thread that sleeps on a [LinuxWire]. The end to write to of a pipe that
/// nobody can read from is in error, which the system reports without being asked for any event.
final class WatchedBells {
    private final Epoll epoll;
    private volatile Runnable task;

    WatchedBells(InetAddress local) {
        epoll = new Epoll(local);
    }

    /// Readable while a bell is broken that [#onBroken] was not called for.
    int fd() {
        return epoll.fd();
    }

    /// @param onBroken replaces that of earlier bells
    boolean add(Bell bell, Runnable onBroken) {
        task = onBroken;
        if (!bell.hold()) {
            return false;
        }
        try {
            return epoll.add(bell.ringFd(), Epoll.ERROR_ONCE) == 0;
        } finally {
            bell.release();
        }
    }

    void onBroken() {
        if (epoll.take() > 0) {
            task.run();
        }
    }

    void close() {
        epoll.close();
    }
}
