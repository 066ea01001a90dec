package io.verbena.sockets.contract;

import io.verbena.sockets.RdmaSockets;
import java.net.InetAddress;
import java.nio.channels.spi.SelectorProvider;

/// On a device of the kernel.
class KernelSelector extends SelectorContract {
    @Override
    SelectorProvider provider() {
        return RdmaSockets.provider();
    }

    @Override
    InetAddress host() {
        return KernelContracts.HOST;
    }
}
