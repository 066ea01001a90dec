package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Connections and datagram services between IPv6 addresses.
public abstract class Ipv6Contract extends CmContract {
    private static final ConnectionParameters DEFAULT = ConnectionParameters.DEFAULT;
    private static final int GRH = 40;

    protected Ipv6Contract() {}

    /// The side's address if it is one of IPv6, else one from its GID table that reaches beyond the link.
    private static Optional<InetAddress> address6(TestDevice side) {
        if (side.address() instanceof Inet6Address) {
            return Optional.of(side.address());
        }
        return side.context().gids(1).stream()
                .map(entry -> entry.gid())
                .filter(gid -> !gid.isIpv4())
                .map(Gid::address)
                .filter(address -> !address.isLinkLocalAddress())
                .findFirst();
    }

    private InetSocketAddress place(TestDevice side, int port) {
        Optional<InetAddress> address = address6(side);
        assumeTrue(address.isPresent(), () -> side + " has no IPv6 address");
        return new InetSocketAddress(address.orElseThrow(), port);
    }

    private Attempt asked(PortSpace space) {
        InetSocketAddress here = place(left(), 0);
        InetSocketAddress there = place(right(), 0);
        ConnectionId listener =
                right().keep(rightCm().createId(right().keep(rightCm().createEventChannel()), space));
        listener.bind(there);
        listener.listen(4);
        CmPeer client = new CmPeer(left(), leftCm().createId(left().keep(leftCm().createEventChannel()), space));
        client.id().resolveAddress(here, listener.localAddress(), Deadline.PATIENCE);
        client.expect(CmEventType.ADDRESS_RESOLVED);
        client.id().resolveRoute(Deadline.PATIENCE);
        client.expect(CmEventType.ROUTE_RESOLVED);
        client.withQueuePair().id().connect(DEFAULT);
        CmEvent request = request(listener);
        return new Attempt(client, new CmPeer(right(), request.id()).withQueuePair(), listener);
    }

    private static void assertAddresses(Attempt d) {
        ConnectionId client = d.client().id();
        ConnectionId server = d.server().id();
        assertTrue(client.localAddress().getAddress() instanceof Inet6Address, "IPv6 on the client");
        assertEquals(client.localAddress(), server.peerAddress());
        assertEquals(client.peerAddress(), server.localAddress());
    }

    @Test
    @Rule("CM-26")
    void shouldConnectAndExchangeMessages() {
        Attempt d = asked(PortSpace.TCP);
        MemoryRegion far = d.server().memory(3000);
        d.server().receive(1, far);
        d.server().id().accept(DEFAULT);
        d.client().expect(CmEventType.ESTABLISHED);
        d.server().expect(CmEventType.ESTABLISHED);
        assertAddresses(d);
        assertEquals(
                Gid.of(d.client().id().peerAddress().getAddress()),
                d.client().qp().query().address().destination());
        MemoryRegion near = d.client().memory(3000);
        byte[] pattern = Bytes.pattern(6, 3000);
        Bytes.put(near, 0, pattern);
        d.client().send(2, near);
        d.client().sent(2);
        d.server().received(1);
        Bytes.assertAt(far, 0, pattern);
        d.client().id().disconnect();
        d.client().expect(CmEventType.DISCONNECTED);
        d.server().expect(CmEventType.DISCONNECTED);
    }

    @Test
    @Rule({"CM-26", "CM-27"})
    void shouldFindDatagramServices() {
        Attempt d = asked(PortSpace.UDP);
        assertAddresses(d);
        MemoryRegion far = d.server().memory(GRH + 64);
        d.server().receive(1, far);
        d.server().id().accept(DEFAULT);
        var found = d.client().expect(CmEventType.ESTABLISHED).datagram();
        assertEquals(
                Gid.of(d.server().id().localAddress().getAddress()),
                found.address().destination());
        MemoryRegion near = d.client().memory(64);
        byte[] pattern = Bytes.pattern(7, 64);
        Bytes.put(near, 0, pattern);
        d.client().send(2, near, 64, found);
        d.client().sent(2);
        d.server().received(1);
        Bytes.assertAt(far, GRH, pattern);
    }

    @Test
    @Rule({"CM-26", "CM-8"})
    void shouldRejectWithItsReason() {
        Attempt d = asked(PortSpace.TCP);
        d.server().id().reject(new byte[] {1});
        assertEquals(28, d.client().expect(CmEventType.REJECTED).status());
    }
}
