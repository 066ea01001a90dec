package io.verbena.soft.net;

import java.net.InetAddress;

class UdpWireTest extends WireContract {
    @Override
    Wire open(InetAddress local) {
        return new UdpWire(local, LocalInterface.maxPayload(local));
    }
}
