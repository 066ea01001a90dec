package io.verbena.soft.cm;

import io.verbena.soft.Network;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;

/// The connection manager of software devices; one for each [Network], because a device listens to one.
public final class SoftConnectionManager implements ConnectionManager {
    private final Network network;
    private final DevicePool devices = new DevicePool();
    private final PortTable ports = new PortTable();

    public SoftConnectionManager(Network network) {
        this.network = network;
    }

    Network network() {
        return network;
    }

    DevicePool devices() {
        return devices;
    }

    PortTable ports() {
        return ports;
    }

    @Override
    public EventChannel createEventChannel() {
        return new SoftEventChannel();
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace space) {
        requireConnections(space);
        if (!(channel instanceof SoftEventChannel soft)) {
            throw new RdmaException(
                    "rdma_create_id",
                    Errno.EINVAL,
                    "the channel is not of this connection manager; for none use createSynchronousId");
        }
        return new SoftConnectionId(this, soft, space, new IdOptions());
    }

    @Override
    public ConnectionId createSynchronousId(PortSpace space) {
        requireConnections(space);
        return new SynchronousConnectionId(this, space, new IdOptions());
    }

    private static void requireConnections(PortSpace space) {
        if (space != PortSpace.TCP) {
            throw new UnsupportedVerbException("soft", "rdma_create_id in port space " + space);
        }
    }
}
