package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.net.Loopback;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Poller;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.PeerText;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Asynchronous ids over real devices on loopback addresses, both sides in one thread.
class EventChannelEndToEndTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final InetAddress SERVER = Loopback.next();
    private static final InetAddress CLIENT = Loopback.next();

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final List<AutoCloseable> open = new ArrayList<>();
    private EventChannel channel;
    private ConnectionId listener;

    @BeforeEach
    void listen() {
        channel = cm.createEventChannel();
        listener = newId();
        listener.bind(new InetSocketAddress(SERVER, 0));
        listener.attachment("from the listener");
        listener.listen(2);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
        channel.close();
    }

    private ConnectionId newId() {
        ConnectionId id = cm.createId(channel, PortSpace.TCP);
        open.add(id);
        return id;
    }

    private CmSide side(ConnectionId id) {
        CmSide side = new CmSide(id);
        open.add(side);
        return side;
    }

    private CmEvent expect(CmEventType type) {
        CmEvent event = channel.await(SOON);
        assertNotNull(event, "no event, expected " + type);
        assertEquals(type, event.type());
        return event;
    }

    private CmSide connect() {
        ConnectionId id = newId();
        id.resolveAddress(new InetSocketAddress(CLIENT, 0), listener.localAddress(), SOON);
        expect(CmEventType.ADDRESS_RESOLVED);
        id.resolveRoute(SOON);
        expect(CmEventType.ROUTE_RESOLVED);
        CmSide client = side(id);
        id.connect(null);
        return client;
    }

    @Test
    void shouldRunBothSidesOnOneChannel() {
        CmSide client = connect();
        CmEvent request = expect(CmEventType.CONNECT_REQUEST);
        assertSame(listener, request.listener());
        assertEquals("from the listener", request.id().attachment());
        assertSame(channel, request.id().channel());
        CmSide server = side(request.id());
        server.id.accept(null);
        List<ConnectionId> established = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            CmEvent event = expect(CmEventType.ESTABLISHED);
            established.add(event.id());
            assertEquals(event.id() == client.id, event.parameters().responderResources() > 0);
        }
        assertTrue(established.containsAll(List.of(client.id, server.id)));
        server.send(1);
        assertEquals(1, client.receive());
        client.id.disconnect();
        List<ConnectionId> ended = new ArrayList<>();
        ended.add(expect(CmEventType.DISCONNECTED).id());
        ended.add(expect(CmEventType.DISCONNECTED).id());
        assertTrue(ended.containsAll(List.of(client.id, server.id)));
        assertEquals(QueuePairState.ERR, server.qp.state());
        server.id.disconnect();
        expect(CmEventType.TIMEWAIT_EXIT);
        expect(CmEventType.TIMEWAIT_EXIT);
        assertNull(channel.tryTake());
    }

    @Test
    void shouldWaitWithPoller() {
        try (Poller poller = Poller.of(channel)) {
            assertEquals(0, poller.await(Duration.ofMillis(10)));
            connect();
            assertEquals(1, poller.await(SOON));
            open.add(expect(CmEventType.CONNECT_REQUEST).id());
        }
    }

    @Test
    void shouldRejectRequestsNobodyTookWhenListenerCloses() {
        CmSide client = connect();
        try (Poller poller = Poller.of(channel)) {
            assertEquals(1, poller.await(SOON));
        }
        listener.close();
        CmEvent event = expect(CmEventType.REJECTED);
        assertSame(client.id, event.id());
        assertEquals(28, event.status());
        assertEquals(
                "RDMA_CM_EVENT_REJECTED, status 28, peer %s: rejected by the application"
                        .formatted(PeerText.of(client.id.peerAddress())),
                event.explain());
    }

    @Test
    void shouldReportAddressErrorWhenPeerCannotBeReached() {
        ConnectionId id = newId();
        id.resolveAddress(null, InetSocketAddress.createUnresolved("nowhere", 1), SOON);
        CmEvent event = expect(CmEventType.ADDRESS_ERROR);
        assertEquals(-Errno.EHOSTUNREACH.number(), event.status());
        assertTrue(event.explanation().contains("nowhere"), event.explain());
    }

    @Test
    void shouldKeepChannelWhileIdsUseItAndWakeWaiters() throws Exception {
        assertEquals(
                Errno.EBUSY, assertThrows(RdmaException.class, channel::close).errno());
        EventChannel lonely = cm.createEventChannel();
        CompletableFuture<Errno> outcome = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform()
                .start(() -> outcome.complete(assertThrows(RdmaException.class, () -> lonely.await(LONG))
                        .errno()));
        awaitSleep(waiting);
        lonely.close();
        assertEquals(Errno.EBADF, outcome.get(5, TimeUnit.SECONDS));
        lonely.close();
        assertEquals(
                Errno.EBADF,
                assertThrows(RdmaException.class, () -> cm.createId(lonely, PortSpace.TCP))
                        .errno());
    }

    private static void awaitSleep(Thread thread) {
        long startNs = System.nanoTime();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            assertTrue(System.nanoTime() - startNs < LONG.toNanos(), "the thread does not wait: " + thread.getState());
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldDropEventsOfClosedIds() {
        ConnectionId id = newId();
        id.resolveAddress(null, listener.localAddress(), SOON);
        id.close();
        id.close();
        assertNull(channel.tryTake());
    }

    @Test
    void shouldBeClosedForBothWhenTwoThreadsCloseAnId() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int i = 0; i < 200; i++) {
                ConnectionId id = cm.createSynchronousId(PortSpace.TCP);
                id.resolveAddress(null, listener.localAddress(), SOON);
                CompletionQueue cq = id.context().createCompletionQueue(4);
                id.createQueuePair(null, QueuePairOptions.rc(cq));
                CyclicBarrier start = new CyclicBarrier(2);
                Callable<Void> close = () -> {
                    start.await(5, TimeUnit.SECONDS);
                    id.close();
                    return null;
                };
                for (Future<Void> closed : threads.invokeAll(List.of(close, close))) {
                    closed.get(5, TimeUnit.SECONDS);
                }
                cq.close();
            }
        }
    }
}
