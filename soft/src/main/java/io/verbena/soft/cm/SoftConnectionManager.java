package io.verbena.soft.cm;

import io.verbena.soft.Network;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;

/// The connection manager of software devices.
public final class SoftConnectionManager implements ConnectionManager {
    public SoftConnectionManager(Network network) {}

    @Override
    public EventChannel createEventChannel() {
        throw new UnsupportedVerbException("soft", "rdma_create_event_channel");
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace space) {
        throw new UnsupportedVerbException("soft", "rdma_create_id");
    }

    @Override
    public ConnectionId createSynchronousId(PortSpace space) {
        throw new UnsupportedVerbException("soft", "rdma_create_id");
    }
}
