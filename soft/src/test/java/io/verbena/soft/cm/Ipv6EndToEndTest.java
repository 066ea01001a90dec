package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.net.Loopback;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Connections over `::1`, where client and server share the one device.
class Ipv6EndToEndTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final InetAddress ANY_IPV6 = InetAddress.ofLiteral("::");
    private static final InetAddress ANY_IPV4 = InetAddress.ofLiteral("0.0.0.0");

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private InetAddress loopback;

    @BeforeEach
    void takeLoopback() {
        loopback = Loopback.six();
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @AfterAll
    static void giveBackLoopback() throws IOException {
        Loopback.releaseSix();
    }

    private ConnectionId listen(InetAddress address) {
        ConnectionId listener = cm.createSynchronousId(PortSpace.TCP);
        listener.bind(new InetSocketAddress(address, 0));
        listener.listen(0);
        return listener;
    }

    private void exchange(ConnectionId listener, InetAddress server) throws Exception {
        Future<CmSide> accepted = threads.submit((Callable<CmSide>) () -> {
            CmSide side = new CmSide(listener.awaitRequest(SOON));
            side.id.accept(ConnectionParameters.DEFAULT.withPrivateData("welcome".getBytes()));
            return side;
        });
        ConnectionId id = cm.createSynchronousId(PortSpace.TCP);
        id.resolveAddress(
                null, new InetSocketAddress(server, listener.localAddress().getPort()), SOON);
        id.resolveRoute(SOON);
        try (CmSide client = new CmSide(id)) {
            client.id.connect(ConnectionParameters.DEFAULT.withPrivateData("hello".getBytes()));
            try (CmSide other = accepted.get()) {
                assertArrayEquals(
                        Arrays.copyOf("welcome".getBytes(), 196),
                        client.id.event().privateData());
                assertEquals(server, client.id.peerAddress().getAddress());
                assertEquals(client.id.localAddress(), other.id.peerAddress());
                client.send(4711);
                assertEquals(4711, other.receive());
                other.send(815);
                assertEquals(815, client.receive());
                client.id.disconnect();
                other.id.disconnect();
            }
        }
    }

    @Test
    void shouldConnectAndExchangeOverIpv6() throws Exception {
        try (ConnectionId listener = listen(loopback)) {
            exchange(listener, loopback);
        }
    }

    @Test
    void shouldListenOnBothKindsWhenBoundToAnyAddressOfIpv6() throws Exception {
        InetAddress four = Loopback.next();
        try (ConnectionId holder = listen(four);
                ConnectionId listener = listen(ANY_IPV6)) {
            assertFalse(holder.localAddress().equals(listener.localAddress()));
            exchange(listener, loopback);
            exchange(listener, four);
        }
    }

    @Test
    void shouldLeaveIpv4ToOthersWhenForIpv6Only() throws Exception {
        try (ConnectionId six = cm.createSynchronousId(PortSpace.TCP);
                ConnectionId four = cm.createSynchronousId(PortSpace.TCP);
                ConnectionId both = cm.createSynchronousId(PortSpace.TCP)) {
            six.option(ConnectionOption.IPV6_ONLY, 1);
            six.bind(new InetSocketAddress(ANY_IPV6, 0));
            int port = six.localAddress().getPort();
            four.bind(new InetSocketAddress(ANY_IPV4, port));
            RdmaException taken =
                    assertThrows(RdmaException.class, () -> both.bind(new InetSocketAddress(ANY_IPV6, port)));
            assertEquals(Errno.EADDRINUSE, taken.errno());
            six.listen(0);
            exchange(six, loopback);
        }
    }

    @Test
    void shouldListDevicesOfIpv6BehindThoseOfIpv4() {
        var names = new SoftProvider()
                .devices().stream().map(device -> device.name()).toList();
        assertEquals("soft-127.0.0.1", names.getFirst());
        assertTrue(names.contains("soft-::1"), names::toString);
        assertTrue(names.stream().noneMatch(name -> name.startsWith("soft-fe80")), names::toString);
        assertEquals(
                "soft-::1", new SoftProvider().device("soft-::1").orElseThrow().name());
    }
}
