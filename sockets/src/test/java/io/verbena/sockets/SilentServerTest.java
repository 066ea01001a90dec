package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients of a server that answers nobody: its queue is full over TCP, and over RDMA nobody looks at the requests.
class SilentServerTest {
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.78.15");
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    /// Where a thread sleeps that waits for RDMA, or for TCP.
    private static final Set<String> SLEEPS = Set.of("io.verbena.sockets.Hub.sleep", "sun.nio.ch.SelectorImpl.select");

    /// Closes what was opened, the last first.
    private static final class SilentServer implements Closeable {
        private final Deque<Closeable> open = new ArrayDeque<>();
        private final InetSocketAddress address;

        SilentServer(Transport transport) throws IOException {
            address = transport == Transport.RDMA ? listenOverRdma() : listenOverTcp();
        }

        private InetSocketAddress listenOverRdma() {
            EventChannel events = Rdma.connectionManager().createEventChannel();
            open.push(events::close);
            ConnectionId id = Rdma.connectionManager().createId(events, PortSpace.TCP);
            open.push(id::close);
            id.bind(new InetSocketAddress(HERE, 0));
            id.listen(8);
            return id.localAddress();
        }

        private InetSocketAddress listenOverTcp() throws IOException {
            ServerSocketChannel server = JdkProvider.get().openServerSocketChannel();
            open.push(server);
            server.bind(new InetSocketAddress(HERE, 0), 1);
            InetSocketAddress listening = (InetSocketAddress) server.getLocalAddress();
            while (isAnswered(listening)) {
                assertTrue(open.size() < 20, "the queue does not become full");
            }
            return listening;
        }

        private boolean isAnswered(InetSocketAddress listening) throws IOException {
            SocketChannel client = JdkProvider.get().openSocketChannel();
            open.push(client);
            client.configureBlocking(false);
            client.connect(listening);
            try (Selector selector = JdkProvider.get().openSelector()) {
                client.register(selector, SelectionKey.OP_CONNECT);
                return selector.select(200) > 0;
            }
        }

        @Override
        public void close() throws IOException {
            while (!open.isEmpty()) {
                open.pop().close();
            }
        }
    }

    private static RdmaSocketChannel open(Transport transport) {
        RuleList rules = RuleList.parse(List.of(transport.name().toLowerCase(Locale.ROOT)));
        return new RdmaSocketChannel(RdmaSockets.provider(), rules, StandardProtocolFamily.INET);
    }

    /// Sleeping over TCP, for a channel that tries RDMA first.
    private static void awaitAsleep(Thread thread, RdmaSocketChannel channel, Transport transport)
            throws InterruptedException {
        long startNs = System.nanoTime();
        while (transport != Transport.RDMA && channel.connection().tcp() == null
                || Stream.of(thread.getStackTrace())
                        .noneMatch(frame -> SLEEPS.contains(frame.getClassName() + "." + frame.getMethodName()))) {
            assertTrue(System.nanoTime() - startNs < LIMIT_NS, "it does not wait");
            Thread.sleep(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldEndABlockingConnectWhenTheChannelIsClosed(Transport transport) throws Exception {
        try (SilentServer server = new SilentServer(transport)) {
            RdmaSocketChannel client = open(transport);
            FutureTask<?> connecting = new FutureTask<>(
                    () -> assertThrows(AsynchronousCloseException.class, () -> client.connect(server.address)));
            Thread thread = Thread.ofPlatform().daemon().start(connecting);
            awaitAsleep(thread, client, transport);
            client.close();
            connecting.get(LIMIT_NS, TimeUnit.NANOSECONDS);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldEndABlockingConnectWhenTheThreadIsInterrupted(Transport transport) throws Exception {
        try (SilentServer server = new SilentServer(transport)) {
            RdmaSocketChannel client = open(transport);
            FutureTask<?> connecting = new FutureTask<>(
                    () -> assertThrows(ClosedByInterruptException.class, () -> client.connect(server.address)));
            Thread thread = Thread.ofPlatform().daemon().start(connecting);
            awaitAsleep(thread, client, transport);
            thread.interrupt();
            connecting.get(LIMIT_NS, TimeUnit.NANOSECONDS);
            assertFalse(client.isOpen());
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void shouldEndTheConnectOfASocketWhenItsTimeIsOver(Transport transport) throws Exception {
        try (SilentServer server = new SilentServer(transport)) {
            RdmaSocketChannel client = open(transport);
            long startNs = System.nanoTime();
            assertThrows(SocketTimeoutException.class, () -> client.socket().connect(server.address, 300));
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            assertTrue(took >= 299 && took < 5000, took + " ms");
            assertFalse(client.isOpen());
        }
    }
}
