package io.verbena.sockets.contract;

import java.nio.channels.spi.SelectorProvider;

class JdkSelectorTest extends SelectorContract {
    @Override
    SelectorProvider provider() {
        return SelectorProvider.provider();
    }
}
