package io.verbena.endpoint;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.DeviceAttributes;
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

    /// Whose connections use it. Those of a server share a receive queue, too: it hears of clients that leave by the
    /// connection manager. A client hears of it by its receives, which must be its own for that.
    enum Users {
        ONE_CLIENT,
        CLIENTS,
        SERVER
    }

    /// Keeps the device open.
    private final ConnectionId holder;

    private final EndpointOptions options;
    private final Users users;
    private final ArrayDeque<AutoCloseable> opened;
    private final CompletionQueue cq;
    private final SharedReceiveQueue sharedReceives;
    private final ReceiveBuffers receives;
    private final SendBuffers sends;
    private final Slab scratches;
    private final Hub hub;
    private final DeviceAttributes most;
    private int connections;
    private int sharedRoom;

    private HubResources(
            ConnectionId holder,
            EndpointOptions options,
            Users users,
            int connections,
            ArrayDeque<AutoCloseable> opened) {
        this.holder = holder;
        this.options = options;
        this.users = users;
        this.opened = opened;
        most = holder.context().attributes();
        ProtectionDomain pd = holder.protectionDomain();
        CompletionChannel channel = opened(holder.context().createCompletionChannel());
        cq = opened(holder.context()
                .createCompletionQueue(
                        first(connections, QueuePairs.completions(options), most.maxCompletionEntries()), channel));
        sends = opened(new SendBuffers(pd, options.bufferBytes()));
        scratches = opened(new Slab(pd, SCRATCH_BYTES, Integer.MAX_VALUE));
        if (users == Users.SERVER) {
            sharedRoom = first(connections, QueuePairs.receives(options), most.maxSharedReceiveRequests());
            // After the buffers, so that it is closed before them.
            SharedReceiveQueue queue = pd.createSharedReceiveQueue(
                    SharedReceiveQueueOptions.of(sharedRoom).withScatterGather(1));
            receives = opened(
                    new ReceiveBuffers(pd, options.bufferBytes(), queue::newReceiveRequest, queue::postReceives));
            sharedReceives = opened(queue);
        } else {
            sharedReceives = null;
            receives = null;
        }
        hub = new Hub(cq, channel, users == Users.ONE_CLIENT, options.spin(), options.threads());
        if (receives != null) {
            hub.orphans(receives::release);
        }
    }

    /// The first length of a queue.
    private static int first(int connections, int each, int most) {
        return (int) Math.min(most, Math.max(FIRST_ENTRIES, (long) connections * each + ReceiveBuffers.BATCH));
    }

    /// On the device of an address.
    ///
    /// @param connections how many have room at first, as far as the device allows
    static HubResources open(InetAddress local, EndpointOptions options, Users users, int connections) {
        ConnectionId holder = options.connectionManager().createSynchronousId(PortSpace.TCP);
        ArrayDeque<AutoCloseable> opened = new ArrayDeque<>();
        try {
            holder.bind(new InetSocketAddress(local, 0));
            return new HubResources(holder, options, users, connections, opened);
        } catch (RuntimeException e) {
            closeAll(opened);
            holder.close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    /// Makes room for the completions and receives of another connection. False when the device has no longer queues,
    /// or cannot make them longer.
    synchronized boolean reserve() {
        int each = QueuePairs.receives(options);
        if (!makeRoom(
                (connections + 1) * QueuePairs.completions(options),
                receives == null ? 0 : ReceiveBuffers.room(receives.needed() + each))) {
            return false;
        }
        if (receives != null) {
            receives.add(each);
        }
        connections++;
        return true;
    }

    private boolean makeRoom(int completionsNeeded, int receivesNeeded) {
        try {
            if (completionsNeeded > cq.capacity()) {
                cq.resize(longer(cq.capacity(), completionsNeeded, most.maxCompletionEntries()));
            }
            if (receivesNeeded > sharedRoom) {
                int room = longer(sharedRoom, receivesNeeded, most.maxSharedReceiveRequests());
                sharedReceives.resize(room);
                sharedRoom = room;
            }
            return true;
        } catch (RdmaException e) {
            EndpointEvents.full(connections, e.getMessage());
            return false;
        }
    }

    /// Twice as long if possible, so that not each connection makes it longer.
    private static int longer(int now, int needed, int most) {
        return Math.max(needed, Math.min(2 * now, most));
    }

    boolean isOfOneClient() {
        return users == Users.ONE_CLIENT;
    }

    /// How many it has.
    synchronized int connections() {
        return connections;
    }

    /// A connection is gone.
    synchronized void release() {
        connections--;
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
        RuntimeException first = closeAll(opened);
        hub.sleep().awaitEnd();
        holder.close();
        if (first != null) {
            throw first;
        }
    }

    /// Returns the first failure, or null.
    private static RuntimeException closeAll(ArrayDeque<AutoCloseable> opened) {
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
        return first;
    }
}
