package io.verbena.verbs;

import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The connection manager of several providers: an id becomes one of the provider that serves its local address, when
/// that address is known.
final class AddressedConnectionManager implements ConnectionManager {
    private final Providers providers;
    /// The program's ids by the provider's id, so that an event names the id that the program knows.
    private final Map<ConnectionId, AddressedId> ids = new ConcurrentHashMap<>();

    AddressedConnectionManager(Providers providers) {
        this.providers = providers;
    }

    Providers providers() {
        return providers;
    }

    void add(ConnectionId provided, AddressedId id) {
        ids.put(provided, id);
    }

    void remove(ConnectionId provided) {
        ids.remove(provided);
    }

    /// The program's id of a connection request.
    AddressedId requested(ConnectionId provided, RdmaProvider provider, AddressedEventChannel channel) {
        return ids.computeIfAbsent(provided, request -> new AddressedId(this, channel, request, provider));
    }

    /// The program's id for one of the provider's. An id that was closed while its event was on the way is not added
    /// again.
    private AddressedId known(ConnectionId provided, RdmaProvider provider, AddressedEventChannel channel) {
        AddressedId id = ids.get(provided);
        return id != null ? id : new AddressedId(this, channel, provided, provider);
    }

    /// The event with the ids that the program knows.
    CmEvent translate(CmEvent event, RdmaProvider provider, AddressedEventChannel channel) {
        return new CmEvent(
                event.type(),
                event.type() == CmEventType.CONNECT_REQUEST
                        ? requested(event.id(), provider, channel)
                        : known(event.id(), provider, channel),
                event.listener() == null ? null : known(event.listener(), provider, channel),
                event.status(),
                event.parameters(),
                event.datagram(),
                event.explanation());
    }

    @Override
    public EventChannel createEventChannel() {
        return new AddressedEventChannel(this);
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace space) {
        return new AddressedId(this, AddressedEventChannel.require("rdma_create_id", channel), space);
    }

    @Override
    public ConnectionId createSynchronousId(PortSpace space) {
        return new AddressedId(this, null, space);
    }
}
