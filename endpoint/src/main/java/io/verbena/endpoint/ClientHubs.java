package io.verbena.endpoint;

import io.verbena.verbs.Context;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/// The hubs of the clients in this process. The first connections have one each, whose waiting threads need no other
/// thread. Further ones share hubs, so that thousands of them cost little.
final class ClientHubs {
    /// Connections of the same device whose options agree share a hub.
    private record Key(
            Context context, int bufferBytes, int credits, int sendRequests, long spinNs, ThreadStarter threads) {}

    /// The last one of each kind.
    private static final Map<Key, HubResources> SHARED = new HashMap<>();

    private static int owned;

    private ClientHubs() {}

    /// A hub with room for a connection. To be given back by [#release].
    static HubResources reserve(Context context, InetAddress local, EndpointOptions options) {
        synchronized (SHARED) {
            if (owned < options.ownQueues()) {
                HubResources own = open(local, options, HubResources.Users.ONE_CLIENT);
                owned++;
                return own;
            }
            Key key = new Key(
                    context,
                    options.bufferBytes(),
                    options.credits(),
                    options.sendRequests(),
                    options.spin().toNanos(),
                    options.threads());
            HubResources hub = SHARED.get(key);
            if (hub == null || !hub.reserve()) {
                hub = open(local, options, HubResources.Users.CLIENTS);
                SHARED.put(key, hub);
            }
            return hub;
        }
    }

    private static HubResources open(InetAddress local, EndpointOptions options, HubResources.Users users) {
        HubResources hub = HubResources.open(local, options, users, 1);
        try {
            QueuePairs.reserve(hub, options);
            return hub;
        } catch (RuntimeException e) {
            hub.close();
            throw e;
        }
    }

    /// A connection is gone, or did not come to be. The last one closes the hub.
    static void release(HubResources hub) {
        synchronized (SHARED) {
            hub.release();
            if (hub.connections() > 0) {
                return;
            }
            if (!SHARED.values().remove(hub)) {
                owned -= hub.isOfOneClient() ? 1 : 0;
            }
        }
        hub.close();
    }
}
