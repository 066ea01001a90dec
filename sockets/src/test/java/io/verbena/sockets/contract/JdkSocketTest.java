package io.verbena.sockets.contract;

import java.nio.channels.spi.SelectorProvider;

class JdkSocketTest extends SocketContract {
    @Override
    SelectorProvider provider() {
        return SelectorProvider.provider();
    }
}
