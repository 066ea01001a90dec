package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftPath;
import io.verbena.verbs.Context;
import io.verbena.verbs.Rdma;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Programs that never wait, while the answers of the peer take a while: all they do is to ask again and again.
class SlowConnectTest {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("127.0.78.1");
    private static final Duration DELAY = Duration.ofMillis(20);
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    /// Stays open, because the connections of the address do.
    private static final Context DEVICE = Rdma.openDevice(
            ADDRESS.getHostAddress(),
            SoftOptions.defaults().path(SoftPath.UDP).faults(FaultPlan.none().withDelay(DELAY, DELAY)));

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void spinUntil(Condition condition) throws IOException {
        long startNs = System.nanoTime();
        while (!condition.holds() && System.nanoTime() - startNs < LIMIT_NS) {
            Thread.onSpinWait();
        }
    }

    private static RdmaServerSocketChannel listen() throws IOException {
        assertNotNull(DEVICE.device());
        RdmaServerSocketChannel server = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET);
        server.bind(new InetSocketAddress(ADDRESS, 0)).configureBlocking(false);
        return server;
    }

    @Test
    void shouldConnectAProgramThatOnlyAsksWhetherItIsConnected() throws Exception {
        try (RdmaServerSocketChannel server = listen();
                RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET)) {
            client.configureBlocking(false);
            client.connect(server.getLocalAddress());
            spinUntil(client::finishConnect);
            assertTrue(client.isConnected());
        }
    }

    @Test
    void shouldAcceptForAProgramThatOnlyAsksForConnections() throws Exception {
        try (RdmaServerSocketChannel server = listen();
                RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET)) {
            client.configureBlocking(false);
            client.connect(server.getLocalAddress());
            SocketChannel[] accepted = new SocketChannel[1];
            spinUntil(() -> {
                accepted[0] = server.accept();
                return accepted[0] != null;
            });
            assertNotNull(accepted[0]);
            accepted[0].close();
        }
    }

    @Test
    void shouldConnectAProgramThatOnlyAsksItsSelector() throws Exception {
        try (RdmaServerSocketChannel server = listen();
                RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET);
                Selector selector = RdmaSockets.openSelector()) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_CONNECT);
            client.connect(server.getLocalAddress());
            spinUntil(() -> selector.selectNow() > 0);
            assertTrue(client.finishConnect());
        }
    }
}
