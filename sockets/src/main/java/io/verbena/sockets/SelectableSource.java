package io.verbena.sockets;

import java.nio.channels.SelectableChannel;
import java.util.List;

/// A channel of this module, as a selector sees it. It may have an RDMA side, a channel of the JDK, or both.
interface SelectableSource {
    /// The operations that are ready on the RDMA side.
    int rdmaReadyOps();

    /// The hubs that its RDMA side needs.
    List<Hub> hubs();

    /// The channel of the JDK; null when there is none.
    SelectableChannel jdkChannel();

    /// From now on the key is told of changes.
    void addKey(RdmaSelectionKey key);

    void removeKey(RdmaSelectionKey key);
}
