package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Channels that another thread closes in the middle of a connect or a bind leave nothing open.
class ClosedMeanwhileTest {
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.78.14");

    /// Rules are asked in the middle of a connect and of a bind. These close the channel then.
    private static final class ClosingRules implements TransportRules {
        private final Transport transport;
        private Channel channel;

        ClosingRules(Transport transport) {
            this.transport = transport;
        }

        @Override
        public Transport of(InetSocketAddress address) {
            try {
                channel.close();
                return transport;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Transport ofBind(InetSocketAddress address) {
            return of(address);
        }
    }

    private static RdmaSocketChannel closedWhenAsked(Transport transport) {
        ClosingRules rules = new ClosingRules(transport);
        RdmaSocketChannel channel = new RdmaSocketChannel(RdmaSockets.provider(), rules, StandardProtocolFamily.INET);
        rules.channel = channel;
        return channel;
    }

    private static RdmaServerSocketChannel serverClosedWhenAsked(Transport transport) {
        ClosingRules rules = new ClosingRules(transport);
        RdmaServerSocketChannel channel =
                new RdmaServerSocketChannel(RdmaSockets.provider(), rules, StandardProtocolFamily.INET);
        rules.channel = channel;
        return channel;
    }

    @BeforeAll
    static void openHub() {
        Hubs.at(HERE).warmUp();
    }

    private static long streams() {
        return Stream.of(Hubs.at(HERE).streams().all()).filter(Objects::nonNull).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndAConnectionOverRdmaThatWasClosedWhileItBegan(boolean blocking) throws Exception {
        try (RdmaServerSocketChannel server = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET)) {
            server.bind(new InetSocketAddress(HERE, 0));
            RdmaSocketChannel client = closedWhenAsked(Transport.RDMA);
            client.configureBlocking(blocking);
            assertThrows(ClosedChannelException.class, () -> client.connect(server.getLocalAddress()));
        }
        long startNs = System.nanoTime();
        while (streams() > 0) {
            assertTrue(System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(20), () -> streams() + " are there");
            Thread.sleep(5);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndAConnectionOverTcpThatWasClosedWhileItBegan(boolean blocking) throws Exception {
        try (ServerSocketChannel server = JdkProvider.get().openServerSocketChannel()) {
            server.bind(new InetSocketAddress(HERE, 0));
            RdmaSocketChannel client = closedWhenAsked(Transport.TCP);
            client.configureBlocking(blocking);
            assertThrows(ClosedChannelException.class, () -> client.connect(server.getLocalAddress()));
            assertFalse(client.connection().tcp().isOpen());
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldLeaveThePortFreeWhenAServerWasClosedWhileItWasBound(Transport transport) throws Exception {
        int port = freePort();
        RdmaServerSocketChannel server = serverClosedWhenAsked(transport);
        assertThrows(ClosedChannelException.class, () -> server.bind(new InetSocketAddress(HERE, port)));
        requireFree(port);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldLeaveThePortFreeWhenAClientWasClosedWhileItWasBound(Transport transport) throws Exception {
        int port = freePort();
        RdmaSocketChannel client = closedWhenAsked(transport);
        assertThrows(ClosedChannelException.class, () -> client.bind(new InetSocketAddress(HERE, port)));
        requireFree(port);
    }

    private static int freePort() throws IOException {
        try (ServerSocketChannel server = JdkProvider.get().openServerSocketChannel()) {
            server.bind(new InetSocketAddress(HERE, 0));
            return server.socket().getLocalPort();
        }
    }

    private static void requireFree(int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(HERE, port);
        try (ServerSocketChannel tcp = JdkProvider.get().openServerSocketChannel();
                RdmaServerSocketChannel rdma = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET)) {
            tcp.bind(address);
            rdma.bind(address);
            assertEquals(address, rdma.getLocalAddress());
        }
    }
}
