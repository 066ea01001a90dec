package io.verbena.sockets;

import java.nio.channels.SelectableChannel;
import java.util.List;

/// A channel of this module, as a selector sees it. It may have an RDMA side, a channel of the JDK `C`, or both.
abstract class SelectableSource<C extends SelectableChannel> {
    private final ChannelKeys keys = new ChannelKeys();
    private volatile C tcp;

    /// The operations that are ready on the RDMA side.
    abstract int rdmaReadyOps();

    /// The hubs that its RDMA side needs.
    abstract List<Hub> hubs();

    /// The channel of the JDK; null when there is none.
    final C tcp() {
        return tcp;
    }

    final void tcp(C channel) {
        tcp = channel;
    }

    /// The selection keys, which are told of changes.
    final ChannelKeys keys() {
        return keys;
    }
}
