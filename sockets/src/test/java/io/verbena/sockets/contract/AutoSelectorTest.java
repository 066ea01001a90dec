package io.verbena.sockets.contract;

import io.verbena.sockets.RdmaSelectorProvider;
import java.nio.channels.spi.SelectorProvider;

/// With the provider for a whole JVM, whose servers also listen over TCP.
class AutoSelectorTest extends SelectorContract {
    private static final SelectorProvider PROVIDER = new RdmaSelectorProvider();

    @Override
    SelectorProvider provider() {
        return PROVIDER;
    }
}
