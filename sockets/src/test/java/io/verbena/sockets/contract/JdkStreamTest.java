package io.verbena.sockets.contract;

import java.nio.channels.spi.SelectorProvider;

class JdkStreamTest extends StreamContract {
    @Override
    SelectorProvider provider() {
        return SelectorProvider.provider();
    }
}
