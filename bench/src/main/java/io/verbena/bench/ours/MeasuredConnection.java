package io.verbena.bench.ours;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.nio.ByteBuffer;
import java.time.Duration;

/// One measured connection: its queue pair, completion queue and memory. Messages are sent from the first part of the
/// memory and received into the rest.
final class MeasuredConnection implements AutoCloseable {
    static final int QUEUE = 256;
    static final int INLINE = 64;
    /// Size of a [RemoteBuffer] in the connection manager's private data.
    static final int DESCRIPTION = Long.BYTES + Integer.BYTES;

    static final int BATCH = 16;
    private static final Duration SLEEP_LIMIT = Duration.ofMillis(500);

    final ConnectionId id;
    final QueuePair qp;
    final CompletionQueue cq;
    final MemoryRegion region;
    final CompletionCounter counter = new CompletionCounter();
    /// Offset of the receive area in the region.
    final long receiveAt;

    private final CompletionChannel channel;
    private final boolean shared;
    private RemoteBuffer peer;

    /// @param blocking whether waiting threads sleep
    /// @param shared whether a poll makes no system call, so that a spinning loop should use `onSpinWait`
    /// @param largest bytes of the largest message
    MeasuredConnection(ConnectionId id, boolean blocking, boolean shared, int largest) {
        this.id = id;
        this.shared = shared;
        Context context = id.context();
        channel = blocking ? context.createCompletionChannel() : null;
        cq = context.createCompletionQueue(2 * QUEUE, channel);
        receiveAt = Math.max(largest, Depth.SMALLEST_AREA);
        region = id.protectionDomain()
                .allocate(
                        receiveAt + Depth.receiveArea(largest),
                        Access.LOCAL_WRITE,
                        Access.REMOTE_WRITE,
                        Access.REMOTE_READ,
                        Access.REMOTE_ATOMIC);
        qp = id.createQueuePair(
                id.protectionDomain(),
                QueuePairOptions.rc(cq)
                        .sendRequests(QUEUE)
                        .receiveRequests(QUEUE)
                        .inlineBytes(INLINE));
    }

    /// The receive area for the peer, sent in the private data of connect and accept.
    byte[] description() {
        return ByteBuffer.allocate(DESCRIPTION)
                .putLong(region.address())
                .putInt(region.rkey())
                .array();
    }

    void peer(byte[] description) {
        ByteBuffer buffer = ByteBuffer.wrap(description);
        peer = new RemoteBuffer(buffer.getLong(), region.length(), buffer.getInt());
    }

    long peerReceiveAddress() {
        return peer.address() + receiveAt;
    }

    int peerKey() {
        return peer.rkey();
    }

    void post(SendRequest request) {
        while (!qp.post(request)) {
            poll();
        }
    }

    void post(ReceiveRequest request) {
        if (!qp.post(request)) {
            throw new IllegalStateException("the receive queue is full");
        }
    }

    int poll() {
        return cq.poll(counter, BATCH);
    }

    void awaitReceived(long count) {
        awaitReceived(count, BATCH);
    }

    /// @param batch the most completions to take at once
    void awaitReceived(long count, int batch) {
        while (counter.received < count) {
            if (cq.poll(counter, batch) == 0) {
                idle();
            }
        }
    }

    void awaitSent(long count) {
        while (counter.sent < count) {
            if (poll() == 0) {
                idle();
            }
        }
    }

    /// Arms the queue, polls again, and only then sleeps: so no completion is missed.
    private void idle() {
        if (channel == null) {
            if (shared) {
                Thread.onSpinWait();
            }
            return;
        }
        cq.arm();
        if (poll() == 0) {
            channel.await(SLEEP_LIMIT);
        }
    }

    @Override
    public void close() {
        id.close();
        region.close();
        cq.close();
        if (channel != null) {
            channel.close();
        }
    }
}
