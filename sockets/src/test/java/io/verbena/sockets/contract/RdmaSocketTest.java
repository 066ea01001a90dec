package io.verbena.sockets.contract;

import io.verbena.sockets.RdmaSockets;
import java.nio.channels.spi.SelectorProvider;

class RdmaSocketTest extends SocketContract {
    @Override
    SelectorProvider provider() {
        return RdmaSockets.provider();
    }
}
