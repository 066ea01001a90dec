package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.lib.Libraries;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionOptions;

/// The connection manager of native devices; one for the process.
public final class NativeConnectionManager implements ConnectionManager {
    private final EventService service = new EventService(CmClock::nowNs);
    private final NativeSharedDevices devices = new NativeSharedDevices();

    public NativeConnectionManager() {}

    EventService service() {
        return service;
    }

    NativeSharedDevices devices() {
        return devices;
    }

    @Override
    public EventChannel createEventChannel() {
        Libraries.RDMACM.require();
        return NativeEventChannel.open();
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace space) {
        if (!(channel instanceof NativeEventChannel ours)) {
            throw new RdmaException(
                    "rdma_create_id",
                    Errno.EINVAL,
                    "the channel is not of this connection manager; for none use createSynchronousId");
        }
        NativeConnectionId id = new NativeConnectionId(this, ours, space, new ConnectionOptions(), false);
        id.state.create();
        return id;
    }

    @Override
    public ConnectionId createSynchronousId(PortSpace space) {
        Libraries.RDMACM.require();
        NativeEventChannel own = NativeEventChannel.open();
        try {
            NativeConnectionId id = new NativeConnectionId(this, own, space, new ConnectionOptions(), true);
            id.state.create();
            return id;
        } catch (RuntimeException e) {
            own.close();
            throw e;
        }
    }
}
