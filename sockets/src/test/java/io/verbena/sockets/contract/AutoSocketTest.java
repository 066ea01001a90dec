package io.verbena.sockets.contract;

import io.verbena.sockets.RdmaSelectorProvider;
import java.nio.channels.spi.SelectorProvider;

/// With the provider for a whole JVM, whose servers also listen over TCP.
class AutoSocketTest extends SocketContract {
    private static final SelectorProvider PROVIDER = new RdmaSelectorProvider();

    @Override
    SelectorProvider provider() {
        return PROVIDER;
    }
}
