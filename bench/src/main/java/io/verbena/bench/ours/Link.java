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

/// One connection: its queue pair, completion queue and memory. The first part of the memory is where messages are
/// sent from, the rest where they go to.
final class Link implements AutoCloseable {
    static final int QUEUE = 256;
    static final int INLINE = 64;
    /// Bytes that hold a [RemoteBuffer] in the connection manager's private data.
    static final int DESCRIPTION = Long.BYTES + Integer.BYTES;

    private static final int BATCH = 16;
    private static final Duration LOOK = Duration.ofMillis(500);

    final ConnectionId id;
    final QueuePair qp;
    final CompletionQueue cq;
    final MemoryRegion region;
    final Tally tally = new Tally();
    /// Where messages to this side go to, within the region.
    final long receiveAt;

    private final CompletionChannel channel;
    private final boolean shared;
    private RemoteBuffer peer;

    /// @param blocking whether who waits sleeps
    /// @param shared whether a look costs no system call, so that the processor should be told of a loop
    /// @param largest bytes of one message
    Link(ConnectionId id, boolean blocking, boolean shared, int largest) {
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

    /// What the peer must know, for the private data of connect and accept.
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

    boolean isBlocking() {
        return channel != null;
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
        return cq.poll(tally, BATCH);
    }

    void awaitReceived(long count) {
        while (tally.received < count) {
            if (poll() == 0) {
                idle();
            }
        }
    }

    void awaitSent(long count) {
        while (tally.sent < count) {
            if (poll() == 0) {
                idle();
            }
        }
    }

    /// Asks for an event, looks again, and only then sleeps: so nothing is missed.
    private void idle() {
        if (channel == null) {
            if (shared) {
                Thread.onSpinWait();
            }
            return;
        }
        cq.arm();
        if (poll() == 0) {
            channel.await(LOOK);
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
