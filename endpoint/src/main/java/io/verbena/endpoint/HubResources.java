package io.verbena.endpoint;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/// What the connections of one hub share on their device: completion queue, buffers and, for servers, receives. They
/// stay until the hub is closed, whatever connections come and go.
final class HubResources implements AutoCloseable {
    /// Longer than all messages of the protocol, and than most messages of programs.
    private static final int SCRATCH_BYTES = 256;

    private static final int FIRST_ENTRIES = 256;

    /// Keeps the device open.
    private final ConnectionId holder;

    private final EndpointOptions options;
    private final ArrayDeque<AutoCloseable> opened = new ArrayDeque<>();
    private final CompletionQueue cq;
    private final SharedReceiveQueue sharedReceives;
    private final ReceiveBuffers receives;
    private final SendBuffers sends;
    private final Slab scratches;
    private final Hub hub;
    private int entries;
    private int sharedRoom;

    private HubResources(ConnectionId holder, EndpointOptions options, boolean isShared) {
        this.holder = holder;
        this.options = options;
        ProtectionDomain pd = holder.protectionDomain();
        CompletionChannel channel = opened(holder.context().createCompletionChannel());
        cq = opened(holder.context().createCompletionQueue(FIRST_ENTRIES, channel));
        sends = opened(new SendBuffers(pd, options.bufferBytes()));
        scratches = opened(new Slab(pd, SCRATCH_BYTES, Integer.MAX_VALUE));
        if (isShared) {
            sharedRoom = FIRST_ENTRIES;
            // After the buffers, so that it is closed before them.
            SharedReceiveQueue queue = pd.createSharedReceiveQueue(
                    SharedReceiveQueueOptions.of(sharedRoom).withScatterGather(1));
            receives = opened(new ReceiveBuffers(pd, options.bufferBytes(), queue::newReceiveRequest, queue::post));
            sharedReceives = opened(queue);
        } else {
            sharedReceives = null;
            receives = null;
        }
        hub = new Hub(cq, channel, !isShared, options.spin(), options.threads());
    }

    /// On the device of an address.
    ///
    /// @param isShared whether several connections use it
    static HubResources open(InetAddress local, EndpointOptions options, boolean isShared) {
        ConnectionId holder = options.connectionManager().createSynchronousId(PortSpace.TCP);
        try {
            holder.bind(new InetSocketAddress(local, 0));
            return new HubResources(holder, options, isShared);
        } catch (RuntimeException e) {
            holder.close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    /// Makes room for the completions and receives of another connection.
    synchronized void reserve() {
        entries += QueuePairs.completions(options);
        if (entries > cq.capacity()) {
            cq.resize(Math.max(2 * cq.capacity(), entries));
        }
        if (sharedReceives != null) {
            int needed = receives.needed() + QueuePairs.receives(options);
            if (needed > sharedRoom) {
                sharedRoom = Math.max(2 * sharedRoom, needed);
                sharedReceives.resize(sharedRoom);
            }
            receives.add(QueuePairs.receives(options));
        }
    }

    /// A connection is gone.
    synchronized void release() {
        entries -= QueuePairs.completions(options);
        if (receives != null) {
            receives.remove(QueuePairs.receives(options));
        }
    }

    ProtectionDomain protectionDomain() {
        return holder.protectionDomain();
    }

    CompletionQueue completionQueue() {
        return cq;
    }

    /// Null when each connection has a receive queue of its own.
    SharedReceiveQueue sharedReceives() {
        return sharedReceives;
    }

    /// The buffers of the shared receive queue.
    ReceiveBuffers receiveBuffers() {
        return receives;
    }

    /// For a connection that has a receive queue of its own.
    <T extends AutoCloseable> T own(T resource) {
        return opened(resource);
    }

    SendBuffers sendBuffers() {
        return sends;
    }

    Slab scratches() {
        return scratches;
    }

    Hub hub() {
        return hub;
    }

    /// After all connections were closed.
    @Override
    public void close() {
        hub.close();
        RuntimeException first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            } catch (Exception e) {
                first = new IllegalStateException(e);
            }
        }
        holder.close();
        if (first != null) {
            throw first;
        }
    }
}
