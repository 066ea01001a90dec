package io.verbena.sockets;

import io.verbena.sockets.protocol.StreamProtocol;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// How a connection ends that the program has closed: what was written is still sent, the peer is told, and then all is
/// released.
final class StreamEnding {
    private static final long LONGEST_CLOSE_NS = TimeUnit.SECONDS.toNanos(30);

    private final RdmaStream stream;
    private final ConnectionId id;
    private final StreamResources resources;
    private final ReentrantLock lock;

    private boolean isReleasing;
    private long deadlineNs;
    private volatile boolean isReleased;

    StreamEnding(RdmaStream stream, ConnectionId id, StreamResources resources, ReentrantLock lock) {
        this.stream = stream;
        this.id = id;
        this.resources = resources;
        this.lock = lock;
    }

    boolean isReleased() {
        return isReleased;
    }

    /// @param isReset whether what was written is thrown away, and the peer's next read fails
    void close(boolean isReset) {
        lock.lock();
        try {
            if (stream.isClosed()) {
                return;
            }
            boolean mustTell = !isDone();
            stream.closed();
            deadlineNs = System.nanoTime() + LONGEST_CLOSE_NS;
            stream.hub().streams().addClosing(stream);
            if (mustTell && isReset) {
                stream.protocol().reset();
            } else if (mustTell) {
                stream.protocol().disconnect();
            }
        } catch (RdmaException e) {
            stream.fail(StreamFailure.reset(e.getMessage()));
        } finally {
            stream.refresh();
            lock.unlock();
        }
        SocketEvents.closed(stream);
        finish();
        stream.hub().wakeThread();
    }

    /// Whether the peer knows that this side has closed the connection, or is gone.
    boolean isDone() {
        boolean isOpen = stream.isEstablished() && stream.failure() == null && !stream.isHungUp() && !isReleased;
        return !isOpen
                || stream.protocol().isDisconnectConfirmed()
                || stream.protocol().isPeerDisconnected();
    }

    /// Releases a connection that is closed as soon as that is possible. Without the lock.
    void finish() {
        if (!stream.isClosed() || isReleased) {
            return;
        }
        lock.lock();
        try {
            if (isReleasing || stream.isInUse() || !isDone()) {
                return;
            }
            isReleasing = true;
        } finally {
            lock.unlock();
        }
        stream.hub().thread().execute(this::release);
    }

    /// From time to time while it is closing: gives up when the peer does not take what was written.
    void check(long nowNs) {
        if (deadlineNs - nowNs <= 0) {
            lock.lock();
            try {
                stream.fail(StreamFailure.timedOut("the peer did not take what was written"));
            } finally {
                lock.unlock();
            }
        }
        finish();
    }

    private void release() {
        lock.lock();
        isReleased = true; // from now on no completion touches the protocol
        lock.unlock();
        try {
            id.close();
        } finally {
            releaseMemory();
        }
    }

    private void releaseMemory() {
        stream.maps().closeAll();
        lock.lock();
        try {
            StreamProtocol protocol = stream.protocol();
            if (protocol != null) {
                protocol.close();
            }
        } finally {
            lock.unlock();
            resources.leaveHub();
        }
    }

    /// Of a connection that was never opened.
    void releaseNow() {
        stream.closed();
        release();
    }
}
