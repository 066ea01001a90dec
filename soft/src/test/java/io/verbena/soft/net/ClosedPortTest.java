package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ClosedPortTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldSeeThatAPortOfThisHostIsClosed() {
        InetAddress address = Loopback.next();
        assertTrue(ClosedPort.isAt(address));
        try (UdpWire _ = new UdpWire(address, 1024)) {
            assertFalse(ClosedPort.isAt(address));
        }
        assertTrue(ClosedPort.isAt(address));
    }

    @Test
    void shouldNotAskOtherHosts() {
        assertFalse(ClosedPort.isAt(Loopback.address("192.0.2.1")));
        assertFalse(ClosedPort.isAt(Loopback.address("2001:db8::1")));
    }
}
