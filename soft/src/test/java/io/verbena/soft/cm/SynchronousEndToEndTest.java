package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.net.Loopback;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Synchronous ids over real devices on loopback addresses.
class SynchronousEndToEndTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final String SERVER = Loopback.next().getHostAddress();
    private static final String CLIENT = Loopback.next().getHostAddress();
    private static final String NOBODY = Loopback.next().getHostAddress();

    private final SoftProvider provider = new SoftProvider();
    private final ConnectionManager cm = provider.connectionManager();
    private ExecutorService threads;
    private ConnectionId listener;

    @BeforeEach
    void listen() {
        threads = Executors.newCachedThreadPool();
        listener = cm.createSynchronousId(PortSpace.TCP);
        listener.bind(new InetSocketAddress(SERVER, 0));
        listener.listen(0);
    }

    @AfterEach
    void close() throws InterruptedException {
        listener.close();
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }

    private ConnectionId client(String local) {
        ConnectionId id = cm.createSynchronousId(PortSpace.TCP);
        id.resolveAddress(local == null ? null : new InetSocketAddress(local, 0), listener.localAddress(), SOON);
        id.resolveRoute(SOON);
        return id;
    }

    private Future<CmSide> acceptInBackground(ConnectionParameters parameters) {
        return threads.submit((Callable<CmSide>) () -> {
            CmSide side = new CmSide(listener.awaitRequest(SOON));
            side.id.accept(parameters);
            return side;
        });
    }

    private void exchange(String clientAddress) throws Exception {
        Future<CmSide> accepted =
                acceptInBackground(ConnectionParameters.DEFAULT.withPrivateData("welcome".getBytes()));
        try (CmSide client = new CmSide(client(clientAddress))) {
            client.id.connect(ConnectionParameters.DEFAULT.withPrivateData("hello".getBytes()));
            try (CmSide server = accepted.get()) {
                assertArrayEquals(
                        Arrays.copyOf("welcome".getBytes(), 196),
                        client.id.event().privateData());
                assertEquals(CmEventType.ESTABLISHED, server.id.event().type());
                assertEquals(client.id.localAddress(), server.id.peerAddress());
                assertEquals(client.id.peerAddress(), server.id.localAddress());
                client.send(4711);
                assertEquals(4711, server.receive());
                server.send(815);
                assertEquals(815, client.receive());
                assertTrue(client.qp.post(client.qp.newReceiveRequest().wrId(9).into(client.buffer, 0, 4)));
                client.id.disconnect();
                assertEquals(QueuePairState.ERR, client.qp.state());
                assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, client.await(9));
                server.id.disconnect();
                assertEquals(CmEventType.DISCONNECTED, server.id.event().type());
                client.id.disconnect();
                server.id.disconnect();
            }
        }
    }

    @Test
    void shouldConnectExchangeAndDisconnectBetweenTwoDevices() throws Exception {
        exchange(CLIENT);
        listener.close();
        awaitClosed(SERVER);
        awaitClosed(CLIENT);
    }

    private void awaitClosed(String address) throws InterruptedException {
        SoftDevice device = (SoftDevice) provider.device(address).orElseThrow();
        for (int i = 0; i < 200 && device.isOpen(); i++) {
            Thread.sleep(20);
        }
        assertFalse(device.isOpen(), address + " must be closed when nobody uses it");
    }

    @Test
    void shouldCloseDeviceWhenProgramClosesItsLastObject() throws Exception {
        ConnectionId id = client(CLIENT);
        ProtectionDomain pd = id.context().allocateProtectionDomain();
        MemoryRegion region = id.protectionDomain().allocate(8, Access.LOCAL_WRITE);
        id.close();
        pd.close();
        assertTrue(((SoftDevice) provider.device(CLIENT).orElseThrow()).isOpen());
        region.close();
        awaitClosed(CLIENT);
    }

    @Test
    void shouldNotCloseContextUnderItsIds() {
        try (ConnectionId id = client(CLIENT)) {
            RdmaException e = assertThrows(RdmaException.class, id.context()::close);
            assertEquals(Errno.EBUSY, e.errno());
            assertTrue(e.getMessage().contains("connection ids [" + id + "]"), e.getMessage());
        }
    }

    @Test
    void shouldConnectWithinOneDevice() throws Exception {
        exchange(SERVER);
    }

    @Test
    void shouldFindItsOwnAddressForThePeer() throws Exception {
        exchange(null);
    }

    @Test
    void shouldSetQueuePairUpAsNegotiated() throws Exception {
        Future<CmSide> accepted = acceptInBackground(ConnectionParameters.DEFAULT.withReads(2, 3));
        try (CmSide client = new CmSide(client(CLIENT))) {
            client.id.option(ConnectionOption.ACK_TIMEOUT, 13);
            client.id.option(ConnectionOption.MIN_RNR_TIMER, 5);
            client.id.connect(ConnectionParameters.DEFAULT.withReads(8, 1).withRetries(4, 99));
            try (CmSide server = accepted.get()) {
                var active = client.qp.query();
                var passive = server.qp.query();
                assertEquals(QueuePairState.RTS, active.state());
                assertEquals(QueuePairState.RTS, passive.state());
                assertEquals(1, active.maxReadAtomic());
                assertEquals(3, active.maxDestinationReadAtomic());
                assertEquals(3, passive.maxReadAtomic());
                assertEquals(1, passive.maxDestinationReadAtomic());
                assertEquals(4, active.retryCount());
                assertEquals(4, passive.retryCount());
                assertEquals(7, passive.rnrRetry());
                assertEquals(13, active.timeout());
                assertEquals(5, active.minRnrTimer());
                assertEquals(14, passive.timeout());
                assertEquals(12, passive.minRnrTimer());
                assertEquals(active.sendPsn(), passive.receivePsn());
                assertEquals(passive.sendPsn(), active.receivePsn());
            }
        }
    }

    @Test
    void shouldRefuseWhenRejected() throws Exception {
        Future<?> rejecting = threads.submit(() -> {
            ConnectionId request = listener.awaitRequest(SOON);
            request.reject("full".getBytes());
            request.close();
        });
        try (CmSide client = new CmSide(client(CLIENT))) {
            RdmaException e = assertThrows(RdmaException.class, () -> client.id.connect(ConnectionParameters.DEFAULT));
            assertEquals(Errno.ECONNREFUSED, e.errno());
            assertEquals(28, client.id.event().status());
            assertArrayEquals(
                    Arrays.copyOf("full".getBytes(), 148), client.id.event().privateData());
            assertEquals(QueuePairState.ERR, client.qp.state());
        }
        rejecting.get();
    }

    @Test
    void shouldRefuseWhenNobodyListens() {
        InetSocketAddress gone = listener.localAddress();
        try (ConnectionId id = cm.createSynchronousId(PortSpace.TCP)) {
            id.resolveAddress(null, new InetSocketAddress(gone.getAddress(), 1), SOON);
            id.resolveRoute(SOON);
            try (CmSide client = new CmSide(id)) {
                RdmaException e =
                        assertThrows(RdmaException.class, () -> client.id.connect(ConnectionParameters.DEFAULT));
                assertEquals(Errno.ECONNREFUSED, e.errno());
                assertTrue(e.getMessage().contains("nobody listens"), e.getMessage());
                assertTrue(e.getMessage().startsWith("rdma_connect " + SERVER + ":1: "), e.getMessage());
            }
        }
    }

    @Test
    void shouldFailAtOnceWhenNoDeviceIsThere() {
        try (ConnectionId id = cm.createSynchronousId(PortSpace.TCP)) {
            id.resolveAddress(new InetSocketAddress(CLIENT, 0), new InetSocketAddress(NOBODY, 1), SOON);
            id.resolveRoute(SOON);
            id.timeout(Duration.ofHours(1));
            try (CmSide client = new CmSide(id)) {
                RdmaException e =
                        assertThrows(RdmaException.class, () -> client.id.connect(ConnectionParameters.DEFAULT));
                assertEquals(Errno.ECONNREFUSED, e.errno());
                assertTrue(e.getMessage().contains("start the server first"), e.getMessage());
                assertTrue(e.getMessage().startsWith("rdma_connect " + NOBODY + ":1: "), e.getMessage());
                assertEquals(CmEventType.UNREACHABLE, client.id.event().type());
            }
        }
    }

    @Test
    void shouldGiveUpWhenNobodyAnswers() throws Exception {
        try (DatagramSocket silent = new DatagramSocket(new InetSocketAddress(NOBODY, 4791));
                ConnectionId id = cm.createSynchronousId(PortSpace.TCP)) {
            assertTrue(silent.isBound());
            id.resolveAddress(new InetSocketAddress(CLIENT, 0), new InetSocketAddress(NOBODY, 1), SOON);
            id.resolveRoute(SOON);
            id.timeout(Duration.ofMillis(300));
            try (CmSide client = new CmSide(id)) {
                RdmaException e =
                        assertThrows(RdmaException.class, () -> client.id.connect(ConnectionParameters.DEFAULT));
                assertEquals(Errno.ETIMEDOUT, e.errno());
                assertTrue(e.getMessage().startsWith("rdma_connect " + NOBODY + ":1: "), e.getMessage());
                assertEquals(CmEventType.UNREACHABLE, client.id.event().type());
            }
        }
    }

    @Test
    void shouldFailAcceptClearlyWhenPeerGaveUp() {
        try (CmSide client = new CmSide(client(CLIENT))) {
            client.id.timeout(Duration.ofMillis(200));
            assertThrows(RdmaException.class, () -> client.id.connect(ConnectionParameters.DEFAULT));
        }
        try (CmSide server = new CmSide(listener.awaitRequest(SOON))) {
            RdmaException e = assertThrows(RdmaException.class, () -> server.id.accept(ConnectionParameters.DEFAULT));
            assertEquals(Errno.ECONNRESET, e.errno());
            assertTrue(e.getMessage().startsWith("rdma_accept " + CLIENT), e.getMessage());
        }
    }

    @Test
    void shouldDisconnectPeerWhenIdIsClosed() throws Exception {
        Future<CmSide> accepted = acceptInBackground(ConnectionParameters.DEFAULT);
        CmSide client = new CmSide(client(CLIENT));
        client.id.connect(ConnectionParameters.DEFAULT);
        try (CmSide server = accepted.get()) {
            client.close();
            // Without calling anything that waits for it.
            long deadlineNs = System.nanoTime() + SOON.toNanos();
            while (server.id.event().type() == CmEventType.ESTABLISHED && System.nanoTime() - deadlineNs < 0) {
                Thread.onSpinWait();
            }
            assertEquals(CmEventType.DISCONNECTED, server.id.event().type());
            assertEquals(0, server.id.event().status());
            server.id.disconnect();
        }
    }

    @Test
    void shouldEndWaitWhenIdIsClosedMeanwhile() throws Exception {
        ConnectionId id = client(CLIENT);
        CmSide client = new CmSide(id);
        Future<RdmaException> waiting = threads.submit((Callable<RdmaException>)
                () -> assertThrows(RdmaException.class, () -> id.connect(ConnectionParameters.DEFAULT)));
        ConnectionId request = listener.awaitRequest(SOON);
        assertNotNull(request);
        client.close();
        assertEquals(Errno.EBADF, waiting.get(5, TimeUnit.SECONDS).errno());
        request.close();
    }

    @Test
    void shouldReturnNullWhenNoRequestComes() {
        assertNull(listener.awaitRequest(Duration.ofMillis(20)));
    }

    /// The process disconnects all its ids at exit while the program disconnects its own.
    @Test
    void shouldStillHearOfItsOwnDisconnectWhileTheProcessEnds() throws Exception {
        Future<CmSide> accepted = acceptInBackground(null);
        try (CmSide client = new CmSide(client(CLIENT))) {
            client.id.connect(null);
            try (CmSide server = accepted.get()) {
                ((SoftConnectionManager) cm).disconnectBeforeExit();
                client.id.timeout(SOON);
                long startNs = System.nanoTime();
                client.id.disconnect();
                server.id.disconnect();
                assertTrue(System.nanoTime() - startNs < SOON.toNanos(), "it hears of it, it does not time out");
                assertSame(CmEventType.DISCONNECTED, client.id.event().type());
                assertEquals(0, client.id.event().status());
            }
        }
    }

    @Test
    void shouldRefuseAPeerOfTheOtherIpVersion() {
        try (ConnectionId id = cm.createSynchronousId(PortSpace.TCP)) {
            id.bind(new InetSocketAddress(CLIENT, 0));
            InetSocketAddress peer = new InetSocketAddress(InetAddress.ofLiteral("::1"), 7471);
            RdmaException e = assertThrows(RdmaException.class, () -> id.resolveAddress(null, peer, SOON));
            assertEquals(Errno.EINVAL, e.errno());
            assertTrue(e.getMessage().contains("not of the same IP version"), e.getMessage());
        }
    }

    @Test
    void shouldTakeNewQueuePairForAClosedOne() throws Exception {
        Future<CmSide> accepted = acceptInBackground(null);
        ConnectionId id = client(CLIENT);
        try (CompletionQueue cq = id.context().createCompletionQueue(4)) {
            QueuePair first = id.createQueuePair(null, QueuePairOptions.rc(cq));
            first.close();
            assertNull(id.queuePair());
            assertErrno(Errno.EINVAL, () -> id.connect(null));
        }
        try (CmSide client = new CmSide(id)) {
            assertSame(client.qp, id.queuePair());
            id.connect(null);
            try (CmSide server = accepted.get()) {
                client.send(1);
                assertEquals(1, server.receive());
            }
        }
    }

    @Test
    void shouldSayWhyConnectFailedWhenQueuePairIsGone() throws Exception {
        CmSide client = new CmSide(client(CLIENT));
        Future<RdmaException> failed = threads.submit(
                (Callable<RdmaException>) () -> assertThrows(RdmaException.class, () -> client.id.connect(null)));
        try (CmSide server = new CmSide(listener.awaitRequest(SOON))) {
            client.qp.close();
            assertErrno(Errno.ECONNRESET, () -> server.id.accept(null));
        }
        String message = failed.get().getMessage();
        assertTrue(message.contains("closed before the peer answered"), message);
        assertEquals(CmEventType.CONNECT_ERROR, client.id.event().type());
        client.close();
    }

    @Test
    void shouldRefuseWrongUse() {
        InetSocketAddress taken = listener.localAddress();
        try (ConnectionId second = cm.createSynchronousId(PortSpace.TCP)) {
            assertErrno(Errno.EADDRINUSE, () -> second.bind(taken));
            second.option(ConnectionOption.REUSE_ADDRESS, 1);
            assertErrno(Errno.EADDRINUSE, () -> second.bind(taken));
            assertErrno(Errno.EINVAL, () -> second.option(ConnectionOption.ACK_TIMEOUT, 32));
            assertErrno(Errno.EINVAL, () -> second.timeout(Duration.ZERO));
            assertErrno(Errno.EINVAL, () -> second.resolveRoute(SOON));
            assertErrno(Errno.EINVAL, () -> second.connect(null));
            assertErrno(Errno.EINVAL, () -> second.accept(null));
            assertErrno(Errno.EINVAL, () -> second.disconnect());
            assertErrno(Errno.EINVAL, () -> second.awaitRequest(SOON));
            assertErrno(Errno.EADDRNOTAVAIL, () -> second.bind(new InetSocketAddress("192.0.2.1", 0)));
            assertErrno(
                    Errno.EHOSTUNREACH,
                    () -> second.resolveAddress(null, InetSocketAddress.createUnresolved("nowhere", 1), SOON));
        }
        assertErrno(Errno.EOPNOTSUPP, () -> cm.createSynchronousId(PortSpace.IPOIB));
        try (CmSide client = new CmSide(client(CLIENT))) {
            assertErrno(
                    Errno.EINVAL, () -> client.id.connect(ConnectionParameters.DEFAULT.withPrivateData(new byte[57])));
            assertErrno(Errno.EINVAL, () -> client.id.connect(ConnectionParameters.DEFAULT.withReads(200, 1)));
            assertErrno(Errno.EINVAL, () -> client.id.reject(null));
            assertErrno(Errno.EINVAL, () -> client.id.createQueuePair(null, QueuePairOptions.rc(client.cq)));
        }
    }

    private static void assertErrno(Errno errno, Runnable call) {
        assertSame(errno, assertThrows(RdmaException.class, call::run).errno());
    }
}
