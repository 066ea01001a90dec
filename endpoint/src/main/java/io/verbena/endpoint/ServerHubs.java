package io.verbena.endpoint;

import io.verbena.verbs.Context;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// The hubs of a server, one for each device that clients come by, and further ones where a device has no longer
/// queues. Used by one thread at a time: the one that listens, that of events, and the one that closes after it.
final class ServerHubs implements AutoCloseable {
    /// How many connections have room in a hub after the first one.
    private static final int LEAST_MORE = 16;

    private final EndpointOptions options;
    private final Exports exports;

    /// The last one of each device.
    private final Map<Context, HubResources> last = new IdentityHashMap<>();

    private final List<HubResources> all = new ArrayList<>();

    /// @param exports what the clients of all devices may use
    ServerHubs(EndpointOptions options, Exports exports) {
        this.options = options;
        this.exports = exports;
    }

    /// That of a device.
    HubResources of(Context context, InetAddress address) {
        HubResources hub = last.get(context);
        return hub == null ? open(context, address, 1) : hub;
    }

    /// Room for a connection. Queues have a longest length, and not all devices can make them longer: then there are
    /// several hubs for a device.
    HubResources reserve(Context context, InetAddress address) {
        HubResources hub = of(context, address);
        if (!hub.reserve()) {
            hub = open(context, address, Math.max(LEAST_MORE, 2 * hub.connections()));
            QueuePairs.reserve(hub, options);
        }
        return hub;
    }

    private HubResources open(Context context, InetAddress address, int connections) {
        HubResources hub = HubResources.open(address, options, HubResources.Users.SERVER, connections);
        try {
            exports.addDomain(hub.protectionDomain());
        } catch (RuntimeException e) {
            hub.close();
            throw e;
        }
        hub.hub().sleep().watch(); // clients ask for exports while no thread of the server waits
        all.add(hub);
        last.put(context, hub);
        return hub;
    }

    /// After all connections were closed.
    @Override
    public void close() {
        for (HubResources hub : all) {
            try {
                hub.close();
            } catch (RuntimeException e) {
                EndpointEvents.failed("closing a device of the server", e);
            }
        }
    }
}
