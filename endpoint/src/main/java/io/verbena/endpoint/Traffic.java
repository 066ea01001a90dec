package io.verbena.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The counters of a connection. Each is added to by one thread at a time mostly, so they are plain: numbers that are
/// read while threads work may be a little behind.
final class Traffic {
    private static final VarHandle WAITS;

    static {
        try {
            WAITS = MethodHandles.lookup().findVarHandle(Traffic.class, "waits", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long messagesSent;
    private long bytesSent;
    private long messagesReceived;
    private long bytesReceived;
    private long longSent;
    private long longReceived;
    private long accesses;

    @SuppressWarnings("unused") // by its VarHandle
    private long waits;

    void onSent(long bytes, boolean isLong) {
        messagesSent++;
        bytesSent += bytes;
        longSent += isLong ? 1 : 0;
    }

    void onReceived(long bytes, boolean isLong) {
        messagesReceived++;
        bytesReceived += bytes;
        longReceived += isLong ? 1 : 0;
    }

    void onAccesses(int count) {
        accesses += count;
    }

    void onWait() {
        WAITS.getAndAdd(this, 1L);
    }

    ConnectionStatistics statistics() {
        return new ConnectionStatistics(
                messagesSent, bytesSent, messagesReceived, bytesReceived, longSent, longReceived, accesses, (long)
                        WAITS.getVolatile(this));
    }
}
