package io.verbena.soft.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.Wires;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A client of a server on the same host, where no address of IPv6 is free.
@EnabledOnOs(OS.LINUX)
class Ipv6ClientTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final InetAddress loopback = Loopback.six();
    private final List<DatagramSocket> taken = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        taken.forEach(DatagramSocket::close);
        Loopback.releaseSix();
    }

    private void takeOtherAddresses() throws SocketException {
        for (InetAddress address : NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(Inet6Address.class::isInstance)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .toList()) {
            taken.add(new DatagramSocket(new InetSocketAddress(address, Wires.PORT)));
        }
    }

    @Test
    void shouldShareTheAddressOfTheServer() throws Exception {
        takeOtherAddresses();
        try (ChildJvm server = new ChildJvm(SharedAddressNode.class, "::1", "1");
                ConnectionId id = new SoftProvider().connectionManager().createSynchronousId(PortSpace.TCP)) {
            int port = Integer.parseInt(server.line().substring("listening ".length()));
            id.resolveAddress(null, new InetSocketAddress(loopback, port), LONG);
            assertEquals(loopback, id.localAddress().getAddress());
        }
    }
}
