package io.verbena.sockets;

import io.verbena.verbs.MemoryRegion;

/// Memory of this side that the peer of a channel may write, see [RdmaSocketChannel#map]. Counterpart of what `riomap`
/// returns.
public final class RdmaMap implements AutoCloseable {
    private final ChannelMaps maps;
    private final MemoryRegion region;
    private final int index;

    RdmaMap(ChannelMaps maps, MemoryRegion region, int index) {
        this.maps = maps;
        this.region = region;
        this.index = index;
    }

    int index() {
        return index;
    }

    MemoryRegion region() {
        return region;
    }

    /// Ends the registration. The peer is not told: a write of it to this memory ends the connection. Closing twice is
    /// fine. Counterpart of `riounmap`.
    @Override
    public void close() {
        maps.close(this);
    }
}
