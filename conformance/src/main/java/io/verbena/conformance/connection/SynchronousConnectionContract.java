package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.BlockedCall;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Ids without a channel: calls wait for their outcome.
public abstract class SynchronousConnectionContract extends CmContract {
    protected SynchronousConnectionContract() {}

    private ConnectionId synchronousListener() {
        ConnectionId listener = right().keep(rightCm().createSynchronousId(PortSpace.TCP));
        listener.bind(anyPort(right()));
        listener.listen(4);
        return listener;
    }

    private CmPeer synchronousClient(InetAddress address, int port) {
        CmPeer client = new CmPeer(left(), leftCm().createSynchronousId(PortSpace.TCP));
        client.id().timeout(Deadline.PATIENCE);
        client.id().resolveAddress(anyPort(left()), new InetSocketAddress(address, port), Deadline.PATIENCE);
        client.id().resolveRoute(Deadline.PATIENCE);
        return client.withQueuePair();
    }

    @Test
    @Rule({"CM-16", "CM-17"})
    void shouldConnectExchangeAndDisconnect() {
        ConnectionId listener = synchronousListener();
        assertNull(listener.channel());
        CmPeer client =
                synchronousClient(right().address(), listener.localAddress().getPort());
        MemoryRegion near = client.memory(64);
        byte[] asked = Bytes.pattern(1, 20);
        byte[] answer = Bytes.pattern(2, 30);
        BlockedCall connect = BlockedCall.in(
                "connect", () -> client.id().connect(ConnectionParameters.DEFAULT.withPrivateData(asked)));
        ConnectionId request = listener.awaitRequest(Deadline.PATIENCE);
        assertNotNull(request, "a request");
        CmPeer server = new CmPeer(right(), request);
        assertArrayEquals(Arrays.copyOf(asked, 56), request.event().privateData());
        assertEquals(CmEventType.CONNECT_REQUEST, request.event().type());
        server.withQueuePair();
        MemoryRegion far = server.memory(64);
        server.receive(1, far);
        server.id().timeout(Deadline.PATIENCE);
        server.id().accept(ConnectionParameters.DEFAULT.withPrivateData(answer));
        connect.expectReturn();
        assertEquals(CmEventType.ESTABLISHED, client.id().event().type());
        assertArrayEquals(Arrays.copyOf(answer, 196), client.id().event().privateData());
        Bytes.put(near, 0, Bytes.pattern(3, 64));
        client.send(2, near);
        client.sent(2);
        server.received(1);
        Bytes.assertAt(far, 0, Bytes.pattern(3, 64));
        client.id().disconnect();
        assertEquals(CmEventType.DISCONNECTED, client.id().event().type());
        server.id().disconnect();
    }

    @Test
    @Rule({"CM-16", "CM-13"})
    void shouldStillShowTheDisconnectToWhoLooksAfterTheTimeToWait() {
        ConnectionId listener = synchronousListener();
        CmPeer client = resolved(listener);
        client.id().option(ConnectionOption.ACK_TIMEOUT, 8);
        client.withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        CmPeer server = new CmPeer(right(), listener.awaitRequest(Deadline.PATIENCE)).withQueuePair();
        server.id().timeout(Deadline.PATIENCE);
        server.id().accept(ConnectionParameters.DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        client.id().disconnect();
        client.expect(CmEventType.DISCONNECTED);
        client.expect(CmEventType.TIMEWAIT_EXIT);
        Deadline.await("the server learns of it", () -> server.id().event().type() == CmEventType.DISCONNECTED);
        server.id().disconnect(); // once more is no error
    }

    @Test
    @Rule({"CM-16", "CM-8"})
    void shouldThrowWhenRejected() {
        ConnectionId listener = synchronousListener();
        CmPeer client =
                synchronousClient(right().address(), listener.localAddress().getPort());
        BlockedCall connect = BlockedCall.in("connect", () -> client.id().connect(ConnectionParameters.DEFAULT));
        CmPeer server = new CmPeer(right(), listener.awaitRequest(Deadline.PATIENCE));
        server.id().reject(new byte[] {1, 2, 3});
        connect.expectErrno(Errno.ECONNREFUSED);
        assertEquals(CmEventType.REJECTED, client.id().event().type());
        assertArrayEquals(
                Arrays.copyOf(new byte[] {1, 2, 3}, 148), client.id().event().privateData());
    }

    @Test
    @Rule({"CM-16", "CM-8"})
    void shouldThrowWhenNobodyListens() {
        ConnectionId listener = synchronousListener();
        int port = listener.localAddress().getPort();
        ConnectionId keepsDeviceAlive = synchronousListener();
        assertNotNull(keepsDeviceAlive);
        listener.close();
        CmPeer client = synchronousClient(right().address(), port);
        RefusedCall.with(Errno.ECONNREFUSED, "nobody listens", () -> client.id().connect(ConnectionParameters.DEFAULT));
        assertEquals(8, client.id().event().status());
    }

    @Test
    @Rule("CM-16")
    void shouldThrowWhenNobodyAnswersInTime() {
        var silent = devices().pairing().silentAddress();
        assumeTrue(silent.isPresent(), "no address where nobody answers");
        CmPeer client = synchronousClient(silent.get(), 7471);
        client.id().timeout(Duration.ofMillis(300));
        RefusedCall.with(Errno.ETIMEDOUT, "nobody answers", () -> client.id().connect(ConnectionParameters.DEFAULT));
    }

    @Test
    @Rule("CM-16")
    void shouldReturnNullWhenNoRequestComesInTime() {
        ConnectionId listener = synchronousListener();
        assertNull(listener.awaitRequest(Duration.ofMillis(5)));
        assertNull(listener.awaitRequest(Duration.ZERO));
    }

    @Test
    @Rule("CM-16")
    void shouldWakeWaiterWhenListenerIsClosed() {
        ConnectionId listener = synchronousListener();
        BlockedCall waiter =
                BlockedCall.in("await request", () -> listener.awaitRequest(Deadline.PATIENCE.multipliedBy(2)));
        listener.close();
        waiter.expectErrno(Errno.EBADF);
    }

    @Test
    @Rule("CM-16")
    void shouldRefuseToAwaitRequestsOfAnIdWithAChannel() {
        ConnectionId listener = listener(4);
        RefusedCall.with(Errno.EINVAL, "await on an asynchronous id", () -> listener.awaitRequest(Duration.ZERO));
    }
}
