package io.verbena.sockets;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Connections that are established and wait for the program to accept them.
final class AcceptQueue {
    private static final int FEWEST = 128;

    private final ConcurrentLinkedQueue<RdmaStream> streams = new ConcurrentLinkedQueue<>();
    private final CopyOnWriteArrayList<ReadyListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger reserved = new AtomicInteger();
    private volatile int most = FEWEST;
    private volatile boolean isClosed;

    void backlog(int backlog) {
        most = Math.max(FEWEST, backlog);
    }

    /// A place for a connection that is being opened; false when all are taken.
    boolean tryReserve() {
        if (reserved.incrementAndGet() > most) {
            reserved.decrementAndGet();
            return false;
        }
        return true;
    }

    /// The connection that has a place will not come, or was taken.
    void release() {
        reserved.decrementAndGet();
    }

    void add(RdmaStream stream) {
        streams.add(stream);
        if (isClosed) {
            closeAll();
        }
        listeners.forEach(ReadyListener::onReady);
    }

    /// Null when none is there.
    RdmaStream poll() {
        RdmaStream stream = streams.poll();
        if (stream != null) {
            release();
        }
        return stream;
    }

    boolean isEmpty() {
        return streams.isEmpty();
    }

    void addListener(ReadyListener listener) {
        listeners.add(listener);
    }

    void removeListener(ReadyListener listener) {
        listeners.remove(listener);
    }

    void close() {
        isClosed = true;
        closeAll();
        listeners.forEach(ReadyListener::onReady);
    }

    private void closeAll() {
        for (RdmaStream stream = poll(); stream != null; stream = poll()) {
            stream.close();
        }
    }
}
