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
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Services of datagrams: a client asks for the queue pair and the key behind a port.
public abstract class DatagramServiceContract extends CmContract {
    private static final ConnectionParameters DEFAULT = ConnectionParameters.DEFAULT;
    private static final int GRH = 40;
    private static final int QKEY = 0x0123_4567;

    protected DatagramServiceContract() {}

    private ConnectionId service() {
        return listener(4, PortSpace.UDP);
    }

    @Test
    @Rule("CM-27")
    void shouldTellWhoServesAndCarryDatagrams() {
        ConnectionId service = service();
        CmPeer client = resolved(service).withQueuePair();
        assertEquals(QueuePairState.RTS, client.qp().query().state(), "ready at once");
        assertEquals(QKEY, client.qp().query().qkey());
        client.id().connect(DEFAULT);
        CmEvent request = request(service);
        assertEquals(service, request.listener());
        assertNull(request.datagram());
        CmPeer server = new CmPeer(right(), request.id()).withQueuePair();
        assertEquals(client.id().localAddress(), server.id().peerAddress());
        MemoryRegion far = server.memory(GRH + 64);
        server.receive(1, far);
        server.id().accept(DEFAULT);
        DatagramPeer found = client.expect(CmEventType.ESTABLISHED).datagram();
        assertEquals(server.qp().number(), found.qpNumber());
        assertEquals(QKEY, found.qkey());
        assertEquals(Gid.of(right().address()), found.address().destination());
        MemoryRegion near = client.memory(64);
        byte[] pattern = Bytes.pattern(1, 64);
        Bytes.put(near, 0, pattern);
        client.send(2, near, 64, found);
        client.sent(2);
        server.received(1);
        Bytes.assertAt(far, GRH, pattern);
        assertNull(server.channel().tryTake(), "the server hears nothing more");
    }

    @Test
    @Rule({"CM-27", "CM-1"})
    void shouldCarryPrivateDataZeroPadded() {
        for (int length : new int[] {0, 1, 136}) {
            ConnectionId service = service();
            CmPeer client = resolved(service).withQueuePair();
            byte[] asked = Bytes.pattern(length, length == 136 ? 180 : length);
            byte[] answer = Bytes.pattern(length + 1, length);
            client.id().connect(DEFAULT.withPrivateData(asked));
            CmEvent request = request(service);
            assertArrayEquals(Arrays.copyOf(asked, 180), request.privateData());
            CmPeer server = new CmPeer(right(), request.id()).withQueuePair();
            server.id().accept(DEFAULT.withPrivateData(answer));
            assertArrayEquals(
                    Arrays.copyOf(answer, 136),
                    client.expect(CmEventType.ESTABLISHED).privateData());
        }
    }

    @Test
    @Rule({"CM-27", "CM-1"})
    void shouldRefusePrivateDataThatIsTooLong() {
        ConnectionId service = service();
        CmPeer client = resolved(service).withQueuePair();
        RefusedCall.with(Errno.EINVAL, "181 bytes", () -> client.id().connect(DEFAULT.withPrivateData(new byte[181])));
        client.id().connect(DEFAULT);
        CmPeer server = new CmPeer(right(), request(service).id()).withQueuePair();
        RefusedCall.with(Errno.EINVAL, "137 bytes", () -> server.id().accept(DEFAULT.withPrivateData(new byte[137])));
        RefusedCall.with(Errno.EINVAL, "137 bytes", () -> server.id().reject(new byte[137]));
        server.id().reject(new byte[136]);
        client.expect(CmEventType.UNREACHABLE);
    }

    @Test
    @Rule({"CM-27", "CM-8"})
    void shouldTellTheClientWhenTheServiceRefuses() {
        ConnectionId service = service();
        CmPeer client = resolved(service).withQueuePair();
        client.id().connect(DEFAULT);
        CmPeer server = new CmPeer(right(), request(service).id());
        server.id().reject(new byte[] {1, 2, 3});
        CmEvent refused = client.expect(CmEventType.UNREACHABLE);
        assertEquals(2, refused.status(), "rejected");
        assertArrayEquals(Arrays.copyOf(new byte[] {1, 2, 3}, 136), refused.privateData());
    }

    @Test
    @Rule({"CM-27", "CM-8"})
    void shouldTellTheClientWhenNobodyServes() {
        ConnectionId service = service();
        int port = service.localAddress().getPort();
        assertNotNull(service(), "keeps the device alive");
        service.close();
        CmPeer client = resolved(right().address(), port, PortSpace.UDP).withQueuePair();
        client.id().connect(DEFAULT);
        assertEquals(1, client.expect(CmEventType.UNREACHABLE).status(), "unsupported");
    }

    @Test
    @Rule({"CM-27", "CM-8"})
    void shouldGiveUpInTimeWhenNobodyAnswers() {
        var silent = devices().pairing().silentAddress();
        assumeTrue(silent.isPresent(), "no address where nobody answers");
        CmPeer client = resolved(silent.get(), 7174, PortSpace.UDP).withQueuePair();
        client.id().timeout(Duration.ofMillis(300));
        client.id().connect(DEFAULT);
        assertEquals(
                -Errno.ETIMEDOUT.number(),
                client.expect(CmEventType.UNREACHABLE).status());
    }

    @Test
    @Rule({"CM-27", "CM-14"})
    void shouldRejectWhenTheRequestIsClosed() {
        ConnectionId service = service();
        CmPeer client = resolved(service).withQueuePair();
        client.id().connect(DEFAULT);
        request(service).id().close();
        assertEquals(2, client.expect(CmEventType.UNREACHABLE).status(), "rejected");
    }

    @Test
    @Rule({"CM-27", "CM-28"})
    void shouldNameQueuePairsOfTheProgram() {
        ConnectionId service = service();
        CmPeer client = resolved(service).withOwnQueuePair();
        client.id().connect(DEFAULT.withQpNumber(client.qp().number()));
        CmPeer server = new CmPeer(right(), request(service).id()).withOwnQueuePair();
        server.step(QueuePairState.INIT);
        assertEquals(QKEY, server.qp().query().qkey());
        server.id().accept(DEFAULT.withQpNumber(server.qp().number()));
        assertEquals(
                server.qp().number(),
                client.expect(CmEventType.ESTABLISHED).datagram().qpNumber());
    }

    @Test
    @Rule("CM-27")
    void shouldServeManyClientsOfOneService() {
        ConnectionId service = service();
        CmPeer[] clients = new CmPeer[5];
        for (int i = 0; i < clients.length; i++) {
            clients[i] = resolved(service).withQueuePair();
            clients[i].id().connect(DEFAULT.withPrivateData(new byte[] {(byte) i}));
            CmEvent request = request(service);
            assertEquals(i, request.privateData()[0]);
            CmPeer server = new CmPeer(right(), request.id()).withQueuePair();
            server.id().accept(DEFAULT);
            assertEquals(
                    server.qp().number(),
                    clients[i].expect(CmEventType.ESTABLISHED).datagram().qpNumber());
        }
    }

    @Test
    @Rule({"CM-27", "CM-16"})
    void shouldWaitForTheOutcomeWithoutAChannel() {
        ConnectionId service = right().keep(rightCm().createSynchronousId(PortSpace.UDP));
        service.bind(anyPort(right()));
        service.listen(4);
        CmPeer client = new CmPeer(left(), leftCm().createSynchronousId(PortSpace.UDP));
        client.id().timeout(Deadline.PATIENCE);
        client.id()
                .resolveAddress(
                        anyPort(left()),
                        new InetSocketAddress(
                                right().address(), service.localAddress().getPort()),
                        Deadline.PATIENCE);
        client.id().resolveRoute(Deadline.PATIENCE);
        client.withQueuePair();
        BlockedCall connect = BlockedCall.in("connect", () -> client.id().connect(DEFAULT));
        CmPeer server = new CmPeer(right(), service.awaitRequest(Deadline.PATIENCE)).withQueuePair();
        server.id().accept(DEFAULT);
        connect.expectReturn();
        assertEquals(server.qp().number(), client.id().event().datagram().qpNumber());
    }

    @Test
    @Rule("CM-27")
    void shouldHaveNoConnectionToEnd() {
        ConnectionId service = service();
        CmPeer client = resolved(service).withQueuePair();
        client.id().connect(DEFAULT);
        CmPeer server = new CmPeer(right(), request(service).id()).withQueuePair();
        server.id().accept(DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        RefusedCall.with(Errno.EINVAL, "disconnect", () -> client.id().disconnect());
        RefusedCall.with(Errno.EINVAL, "disconnect", () -> server.id().disconnect());
        assertEquals(QueuePairState.RTS, client.qp().query().state());
    }
}
