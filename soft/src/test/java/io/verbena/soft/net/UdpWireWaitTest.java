package io.verbena.soft.net;

import java.net.InetAddress;

class UdpWireWaitTest extends WaitContract {
    @Override
    Wire open(InetAddress local) {
        return new UdpWire(local, LocalInterface.maxPayload(local));
    }
}
