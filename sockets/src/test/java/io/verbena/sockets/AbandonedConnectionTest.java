package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.sockets.protocol.ConnectionData;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Clients that ask for a connection that no program ever gets: they are gone before it is established, or do not
/// speak the protocol.
class AbandonedConnectionTest {
    private static final InetAddress SERVER = InetAddress.ofLiteral("127.0.78.11");
    private static final InetAddress CLIENT = InetAddress.ofLiteral("127.0.78.12");
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /// More than wait to be accepted at most.
    private static final int CLIENTS = 200;

    private static final byte[] OFFER = new ConnectionData(false, true, 16, 0, 0x1000, 1, 2, 0x2000, 2, 4096).encode();

    private static final int NONSENSE = 1 << 29;

    @Test
    void shouldServeOthersAfterClientsThatLeftBeforeTheyWereConnected() throws Exception {
        try (RdmaServerSocketChannel server = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET)) {
            server.bind(new InetSocketAddress(SERVER, 0));
            InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
            CompletableFuture<Integer> served = new CompletableFuture<>();
            Thread.ofPlatform().daemon().start(() -> serve(server, served));
            for (int i = 0; i < CLIENTS; i++) {
                askAndLeave(address);
            }
            try (RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET)) {
                client.connect(address);
                client.write(ByteBuffer.wrap(new byte[] {7}));
                assertEquals(7, served.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
            awaitStreams(0);
        }
    }

    /// Until a client has sent a byte. Clients that left just after they were connected have sent none.
    private static void serve(RdmaServerSocketChannel server, CompletableFuture<Integer> served) {
        while (!served.isDone()) {
            try (SocketChannel accepted = server.accept()) {
                ByteBuffer one = ByteBuffer.allocate(1);
                if (accepted.read(one) == 1) {
                    served.complete((int) one.get(0));
                }
            } catch (ClosedChannelException e) {
                served.completeExceptionally(e); // the test is over
            } catch (IOException reset) {
                // As good as the end of the stream.
            }
        }
    }

    /// Whoever accepts connections never sees these clients.
    @Test
    void shouldKeepNoPlaceForClientsWhoseFirstWordsAreWrong() throws Exception {
        try (RdmaServerSocketChannel server = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET)) {
            server.bind(new InetSocketAddress(SERVER, 0));
            InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
            int before = freePlaces(server);
            for (int i = 0; i < 3; i++) {
                askAndSayNonsense(address);
            }
            awaitStreams(0);
            assertEquals(before, freePlaces(server));
            try (RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET)) {
                client.connect(address);
                try (RdmaSocketChannel accepted = (RdmaSocketChannel) server.accept()) {
                    assertEquals(client.getLocalAddress(), accepted.getRemoteAddress());
                }
            }
            awaitStreams(0);
        }
    }

    /// How many connections may wait to be accepted.
    private static int freePlaces(RdmaServerSocketChannel server) {
        AcceptQueue queue = server.listening().queue();
        int free = 0;
        while (queue.tryReserve()) {
            free++;
        }
        for (int i = 0; i < free; i++) {
            queue.release();
        }
        return free;
    }

    /// What a client does after it knows the way to the server, with queues of its own.
    private interface Visit {
        void pay(ConnectionId id, EventChannel events, CompletionQueue cq) throws Exception;
    }

    /// Sends a request, and takes no notice of the answer.
    private static void askAndLeave(InetSocketAddress to) throws Exception {
        visit(to, (id, events, cq) -> {
            id.createQueuePair(QueuePairOptions.rc(cq).sendRequests(1).receiveRequests(1));
            id.connect(ConnectionParameters.DEFAULT.withReads(0, 0).withPrivateData(OFFER));
        });
    }

    /// The server's first notice of the established connection is a word that does not exist. Its hub stands still
    /// until the word is there.
    private static void askAndSayNonsense(InetSocketAddress to) throws Exception {
        visit(to, (id, events, cq) -> {
            try (QueuePair qp = id.protectionDomain()
                    .createQueuePair(QueuePairOptions.rc(cq).receiveRequests(1))) {
                qp.modify(id.queuePairStep(QueuePairState.INIT));
                id.connect(ConnectionParameters.DEFAULT
                        .withReads(0, 0)
                        .withPrivateData(OFFER)
                        .withQpNumber(qp.number()));
                take(events, CmEventType.CONNECT_RESPONSE);
                qp.modify(id.queuePairStep(QueuePairState.RTR));
                qp.modify(id.queuePairStep(QueuePairState.RTS));
                CountDownLatch isThere = new CountDownLatch(1);
                holdHub(isThere);
                try {
                    qp.post(qp.newSendRequest()
                            .writeWithImmediate(0, 0, NONSENSE)
                            .signaled());
                    awaitCompletion(cq);
                } finally {
                    isThere.countDown();
                }
            }
        });
    }

    private static void visit(InetSocketAddress to, Visit visit) throws Exception {
        ConnectionManager manager = Rdma.connectionManager();
        try (EventChannel events = manager.createEventChannel()) {
            ConnectionId id = manager.createId(events, PortSpace.TCP);
            CompletionQueue cq = null;
            try {
                id.resolveAddress(new InetSocketAddress(CLIENT, 0), to, LIMIT);
                take(events, CmEventType.ADDRESS_RESOLVED);
                id.resolveRoute(LIMIT);
                take(events, CmEventType.ROUTE_RESOLVED);
                cq = id.context().createCompletionQueue(16);
                visit.pay(id, events, cq);
            } finally {
                id.close();
                if (cq != null) {
                    cq.close();
                }
            }
        }
    }

    /// Returns when the thread of the server's hub waits.
    private static void holdHub(CountDownLatch until) throws InterruptedException {
        CountDownLatch isHeld = new CountDownLatch(1);
        Hubs.at(SERVER).thread().execute(() -> {
            isHeld.countDown();
            try {
                until.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertTrue(isHeld.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    private static void awaitCompletion(CompletionQueue cq) {
        List<CompletionStatus> statuses = new ArrayList<>();
        long startNs = System.nanoTime();
        while (statuses.isEmpty() && System.nanoTime() - startNs < LIMIT.toNanos()) {
            cq.poll(completion -> statuses.add(completion.status()), 1);
        }
        assertEquals(List.of(CompletionStatus.SUCCESS), statuses);
    }

    private static void take(EventChannel events, CmEventType expected) {
        CmEvent event = events.await(LIMIT);
        assertEquals(expected, event == null ? null : event.type());
    }

    /// What abandoned connections held is given back, too.
    private static void awaitStreams(int expected) throws InterruptedException {
        long startNs = System.nanoTime();
        while (streams() != expected) {
            if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(20)) {
                throw new AssertionError(streams() + " connections are still there");
            }
            Thread.sleep(5);
        }
    }

    private static long streams() {
        return Stream.of(Hubs.at(SERVER).streams().all())
                .filter(Objects::nonNull)
                .count();
    }
}
