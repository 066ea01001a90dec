package io.verbena.sockets.contract;

import io.verbena.sockets.RdmaSockets;
import java.net.InetAddress;
import java.nio.channels.spi.SelectorProvider;

/// Over UDP that loses packets.
class LossySelectorTest extends SelectorContract {
    @Override
    SelectorProvider provider() {
        return RdmaSockets.provider();
    }

    @Override
    InetAddress host() {
        return LossyHost.address();
    }
}
