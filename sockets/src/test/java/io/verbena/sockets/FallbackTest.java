package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Peers with RDMA and without.
class FallbackTest {
    private static final int LIMIT_SECONDS = 20;
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    private final SelectorProvider auto = new RdmaSelectorProvider(RuleList.parse(List.of()));
    private final SelectorProvider jdk = SelectorProvider.provider();

    @BeforeEach
    void forget() {
        FallbackMemory.forgetAll();
    }

    private static void exchange(SocketChannel one, SocketChannel other) throws Exception {
        one.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        ByteBuffer to = ByteBuffer.allocate(3);
        while (to.hasRemaining()) {
            assertTrue(other.read(to) >= 0);
        }
        assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), to.flip());
    }

    @Test
    void shouldUseRdmaWhenBothSidesHaveIt() throws Exception {
        try (ServerSocketChannel server = auto.openServerSocketChannel().bind(ANY_PORT);
                SocketChannel client = auto.openSocketChannel()) {
            client.connect(server.getLocalAddress());
            try (SocketChannel accepted = server.accept()) {
                assertTrue(((RdmaSocketChannel) client).isRdma());
                assertTrue(((RdmaSocketChannel) accepted).isRdma());
                exchange(client, accepted);
                exchange(accepted, client);
                assertEquals(3, ((RdmaSocketChannel) client).rdmaBytesWritten());
                assertEquals(3, ((RdmaSocketChannel) client).rdmaBytesRead());
            }
        }
    }

    /// The thread that takes events of the client's address stands still, as on a busy machine.
    @Test
    void shouldUseAnAnswerThatCameInTimeAlthoughThisSideLooksLate() throws Exception {
        InetAddress here = InetAddress.ofLiteral("127.0.78.16");
        Hub hub = Hubs.at(here);
        CountDownLatch isOver = new CountDownLatch(1);
        try (ServerSocketChannel server = auto.openServerSocketChannel()
                        .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.78.17"), 0));
                RdmaSocketChannel client = (RdmaSocketChannel) auto.openSocketChannel()) {
            hold(hub, isOver);
            client.bind(new InetSocketAddress(here, 0)).configureBlocking(false);
            client.connect(server.getLocalAddress());
            ChannelConnection connection = client.connection();
            await(() -> {
                hub.pollEvents();
                return connection.stream().opening().askedNs() != 0;
            });
            await(() -> connection.stream().isEstablished() || connection.tcp() != null);
            assertTrue(client.finishConnect());
            assertTrue(client.isRdma());
        } finally {
            isOver.countDown();
        }
    }

    /// The thread that gives RDMA up takes the events of all connections of its address.
    @Test
    void shouldFallBackWhenAnotherConnectionFailsMeanwhile() throws Exception {
        int attempts = 1;
        while (!fallsBackWhileAnotherConnectionFails()) {
            assertTrue(attempts++ < 10, "RDMA was given up before the other connection failed, each time");
        }
    }

    /// False when RDMA was given up before the other connection failed.
    private boolean fallsBackWhileAnotherConnectionFails() throws Exception {
        InetAddress here = InetAddress.ofLiteral("127.0.78.18");
        Hub hub = Hubs.at(here);
        CountDownLatch isOver = new CountDownLatch(1);
        CountDownLatch hasFailed = new CountDownLatch(1);
        ConnectionId other = hub.createId();
        other.attachment((CmHandler) event -> {
            hasFailed.countDown();
            throw new IllegalStateException("a fault of a test");
        });
        try (ServerSocketChannel server = jdk.openServerSocketChannel()
                        .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.78.19"), 0));
                EventChannel unread = Rdma.connectionManager().createEventChannel();
                ConnectionId silent = Rdma.connectionManager().createId(unread, PortSpace.TCP);
                RdmaSocketChannel client = (RdmaSocketChannel) auto.openSocketChannel()) {
            silent.bind((InetSocketAddress) server.getLocalAddress());
            silent.listen(8);
            hold(hub, isOver);
            client.bind(new InetSocketAddress(here, 0)).configureBlocking(false);
            client.connect(server.getLocalAddress());
            ChannelConnection connection = client.connection();
            await(() -> {
                hub.pollEvents();
                return connection.stream().opening().askedNs() != 0;
            });
            other.resolveAddress(null, new InetSocketAddress(here, 1), StreamResources.RESOLVE_TIMEOUT);
            await(() -> connection.tcp() != null);
            assertTrue(client.finishConnect());
            assertFalse(client.isRdma());
            return hasFailed.getCount() == 0;
        } finally {
            isOver.countDown();
            other.close();
        }
    }

    /// A selector that looks while RDMA is being given up sees that the channel is not ready.
    @Test
    void shouldTellSelectorsAgainWhenTheAnswerCameAtTheLastMoment() throws Exception {
        InetAddress here = InetAddress.ofLiteral("127.0.78.20");
        Hub hub = Hubs.at(here);
        SelectorProvider rdma = new RdmaSelectorProvider(RuleList.parse(List.of("rdma"))); // gives up only when told to
        CountDownLatch isOver = new CountDownLatch(1);
        try (ServerSocketChannel server = rdma.openServerSocketChannel()
                        .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.78.21"), 0));
                RdmaSocketChannel client = (RdmaSocketChannel) rdma.openSocketChannel();
                RdmaSelector selector = (RdmaSelector) rdma.openSelector()) {
            hold(hub, isOver); // else it may be connected at once
            client.bind(new InetSocketAddress(here, 0)).configureBlocking(false);
            client.register(selector, SelectionKey.OP_CONNECT);
            assertFalse(client.connect(server.getLocalAddress()));
            ChannelConnection connection = client.connection();
            await(() -> {
                hub.pollEvents();
                return connection.stream().isEstablished();
            });
            assertEquals(1, selector.selectNow());
            assertFalse(selector.hasQueued());
            connection.attempt().giveUpSlowPeer();
            assertTrue(selector.hasQueued());
            assertTrue(client.finishConnect());
        } finally {
            isOver.countDown();
        }
    }

    /// The hub's thread does nothing until the latch is open.
    private static void hold(Hub hub, CountDownLatch isOver) throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        hub.thread().execute(() -> {
            isHeld.countDown();
            awaitQuietly(isOver);
        });
        assertTrue(isHeld.await(LIMIT_SECONDS, TimeUnit.SECONDS));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(2 * LIMIT_SECONDS, TimeUnit.SECONDS); // longer than anybody waits for the outcome
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long startNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(LIMIT_SECONDS), "it takes too long");
            Thread.sleep(1);
        }
    }

    @Test
    void shouldFallBackWhenTheServerHasNoRdma() throws Exception {
        long before = fallbacks();
        try (ServerSocketChannel server = jdk.openServerSocketChannel().bind(ANY_PORT)) {
            for (int i = 0; i < 2; i++) {
                try (SocketChannel client = auto.openSocketChannel()) {
                    client.connect(server.getLocalAddress());
                    assertTrue(client.isBlocking() && client.isConnected());
                    assertFalse(((RdmaSocketChannel) client).isRdma());
                    try (SocketChannel accepted = server.accept()) {
                        exchange(client, accepted);
                        exchange(accepted, client);
                    }
                }
            }
        }
        assertEquals(before + 1, fallbacks()); // the second time RDMA is not tried
    }

    private static long fallbacks() {
        return SocketCounters.now().fallbacks().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void shouldFallBackInASelectorWhenTheServerHasNoRdma() throws Exception {
        try (ServerSocketChannel server = jdk.openServerSocketChannel().bind(ANY_PORT);
                SocketChannel client = auto.openSocketChannel();
                Selector selector = auto.openSelector()) {
            client.configureBlocking(false);
            SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
            assertFalse(client.connect(server.getLocalAddress()));
            boolean done = false;
            for (int i = 0; i < 10 && !done; i++) {
                selector.select(5000);
                selector.selectedKeys().clear();
                done = client.finishConnect();
            }
            assertTrue(done);
            key.interestOps(SelectionKey.OP_READ);
            try (SocketChannel accepted = server.accept()) {
                accepted.write(ByteBuffer.wrap(new byte[] {5}));
                assertEquals(1, selector.select(5000));
                assertEquals(1, client.read(ByteBuffer.allocate(10)));
            }
        }
    }

    @Test
    void shouldAcceptClientsThatHaveNoRdma() throws Exception {
        try (ServerSocketChannel server = auto.openServerSocketChannel().bind(ANY_PORT);
                SocketChannel client = jdk.openSocketChannel()) {
            client.connect(server.getLocalAddress());
            try (SocketChannel accepted = server.accept()) {
                assertFalse(((RdmaSocketChannel) accepted).isRdma());
                exchange(client, accepted);
            }
        }
    }

    @Test
    void shouldServeAllAddressesOfTheHost() throws Exception {
        try (ServerSocketChannel server = auto.openServerSocketChannel().bind(new InetSocketAddress(0));
                SocketChannel client = auto.openSocketChannel()) {
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            client.connect(new InetSocketAddress("127.0.0.1", port));
            try (SocketChannel accepted = server.accept()) {
                assertTrue(((RdmaSocketChannel) client).isRdma());
                exchange(client, accepted);
            }
        }
    }
}
