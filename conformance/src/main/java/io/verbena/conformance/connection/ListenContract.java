package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.BlockedCall;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Listeners, ports, channels, and clients that nobody answers.
public abstract class ListenContract extends CmContract {
    protected ListenContract() {}

    private ConnectionId newId() {
        EventChannel channel = right().keep(rightCm().createEventChannel());
        return right().keep(rightCm().createId(channel, PortSpace.TCP));
    }

    @Test
    @Rule("CM-20")
    void shouldPickAPortWhenBoundToPortZero() {
        ConnectionId first = newId();
        ConnectionId second = newId();
        first.bind(anyPort(right()));
        second.bind(anyPort(right()));
        int port = first.localAddress().getPort();
        assertTrue(port > 0 && port < 65536, "port " + port);
        assertNotEquals(port, second.localAddress().getPort());
        assertEquals(right().address(), first.localAddress().getAddress());
    }

    @Test
    @Rule("CM-20")
    void shouldRefuseAPortInUse() {
        ConnectionId listener = listener(1);
        ConnectionId second = newId();
        InetSocketAddress taken = listener.localAddress();
        RefusedCall.with(Errno.EADDRINUSE, "a port in use", () -> {
            second.bind(taken);
            second.listen(1);
        });
        listener.close();
        ConnectionId third = newId();
        third.bind(taken);
        third.listen(1);
        assertEquals(taken, third.localAddress());
    }

    @Test
    @Rule("CM-20")
    void shouldRefuseANegativeBacklogAndStayAsItWas() {
        ConnectionId id = newId();
        id.bind(anyPort(right()));
        RefusedCall.with(Errno.EINVAL, "a backlog of -5", () -> id.listen(-5));
        id.listen(0);
    }

    @Test
    @Rule("CM-20")
    void shouldRefuseAnAddressThatIsNotLocal() {
        ConnectionId id = newId();
        var refused = assertThrows(RdmaException.class, () -> id.bind(new InetSocketAddress("203.0.113.7", 0)));
        assertTrue(
                refused.errno() == Errno.EADDRNOTAVAIL || refused.errno() == Errno.ENODEV,
                () -> "a reason that fits: " + refused.getMessage());
    }

    @Test
    @Rule("CM-20")
    void shouldTakeRequestsToEveryAddressWhenBoundToTheAnyAddress() {
        String device = right().context().device().name();
        assumeTrue(
                Rdma.devices().stream().anyMatch(listed -> listed.name().equals(device)),
                "the device is not among those that the any-address stands for");
        ConnectionId listener = newId();
        listener.bind(new InetSocketAddress(right().address() instanceof Inet4Address ? "0.0.0.0" : "::", 0));
        listener.listen(4);
        int port = listener.localAddress().getPort();
        CmPeer client = resolved(right().address(), port).withQueuePair();
        client.id().connect(ConnectionParameters.DEFAULT);
        CmPeer server = new CmPeer(right(), request(listener).id());
        assertEquals(right().address(), server.id().localAddress().getAddress());
        server.id().reject(new byte[0]);
        client.expect(CmEventType.REJECTED);
    }

    @Test
    @Rule({"CM-20", "CM-22"})
    void shouldShareAPortWhenBothAskForIt() {
        ConnectionId first = newId();
        ConnectionId second = newId();
        first.option(ConnectionOption.REUSE_ADDRESS, 1);
        second.option(ConnectionOption.REUSE_ADDRESS, 1);
        first.bind(anyPort(right()));
        second.bind(first.localAddress());
        assertEquals(first.localAddress(), second.localAddress());
    }

    @Test
    @Rule("CM-9")
    void shouldNotAnswerWhenTheBacklogIsFull() {
        ConnectionId listener = listener(1);
        CmPeer first = resolved(listener).withQueuePair();
        first.id().connect(ConnectionParameters.DEFAULT);
        Deadline.await("the first request waits", () -> listener.channel().isReady());
        CmPeer second = resolved(listener).withQueuePair();
        second.id().timeout(Duration.ofMillis(500));
        second.id().connect(ConnectionParameters.DEFAULT);
        CmEvent event = second.expect(CmEventType.UNREACHABLE);
        assertEquals(-Errno.ETIMEDOUT.number(), event.status());
        CmPeer server = new CmPeer(right(), request(listener).id());
        server.id().reject(new byte[0]);
        first.expect(CmEventType.REJECTED);
    }

    @Test
    @Rule({"CM-8", "CM-25"})
    void shouldGiveUpInTimeWhenNobodyAnswers() {
        var silent = devices().pairing().silentAddress();
        assumeTrue(silent.isPresent(), "no address where nobody answers");
        CmPeer client = resolved(silent.get(), 7471).withQueuePair();
        client.id().timeout(Duration.ofMillis(300));
        client.id().connect(ConnectionParameters.DEFAULT);
        CmEvent event = client.expect(CmEventType.UNREACHABLE);
        assertEquals(-Errno.ETIMEDOUT.number(), event.status());
    }

    @Test
    @Rule("CM-25")
    void shouldRefuseToCloseChannelWhenIdsUseIt() {
        EventChannel channel = right().keep(rightCm().createEventChannel());
        ConnectionId id = rightCm().createId(channel, PortSpace.TCP);
        RefusedCall.with(Errno.EBUSY, "a channel with an id", channel::close);
        id.close();
        channel.close();
        channel.close();
    }

    @Test
    @Rule({"CM-25", "EV-8"})
    void shouldReturnNullWhenNoEventComesInTime() {
        EventChannel channel = right().keep(rightCm().createEventChannel());
        assertNull(channel.tryTake());
        assertNull(channel.await(Duration.ofMillis(5)));
    }

    @Test
    @Rule({"CM-25", "EV-8"})
    void shouldWakeWaiterWhenChannelIsClosedOrThreadInterrupted() {
        EventChannel channel = right().keep(rightCm().createEventChannel());
        BlockedCall first = BlockedCall.in("event await", () -> channel.await(Deadline.PATIENCE.multipliedBy(2)));
        first.interrupt();
        first.expectErrno(Errno.EINTR);
        BlockedCall second = BlockedCall.in("event await", () -> channel.await(Deadline.PATIENCE.multipliedBy(2)));
        channel.close();
        second.expectErrno(Errno.EBADF);
    }

    @Test
    @Rule("CM-14")
    void shouldRejectRequestsNotTakenWhenListenerIsClosed() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withQueuePair();
        client.id().timeout(Duration.ofSeconds(3));
        client.id().connect(ConnectionParameters.DEFAULT);
        Deadline.await("the request waits", () -> listener.channel().isReady());
        listener.close();
        client.expect(CmEventType.REJECTED);
        assertNull(listener.channel().tryTake());
    }
}
