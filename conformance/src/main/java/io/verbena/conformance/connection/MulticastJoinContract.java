package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.DatagramPeer;
import io.verbena.verbs.cm.PortSpace;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Multicast groups joined by ids.
public abstract class MulticastJoinContract extends CmContract {
    private static final int GRH = 40;
    private static final int QKEY = 0x0123_4567;
    private static final int EVERYBODY = 0xFF_FFFF;

    protected MulticastJoinContract() {}

    private static InetSocketAddress group(int last) {
        return new InetSocketAddress(InetAddress.ofLiteral("239.77.4." + last), 0);
    }

    @BeforeEach
    void requireIpv4() {
        assumeTrue(
                left().address() instanceof Inet4Address && right().address() instanceof Inet4Address,
                "groups of IPv4 need devices of IPv4");
    }

    private CmPeer bound(TestDevice side, ConnectionManager cm) {
        CmPeer peer = new CmPeer(side, cm.createId(side.keep(cm.createEventChannel()), PortSpace.UDP));
        peer.id().bind(anyPort(side));
        return peer.withQueuePair();
    }

    private static DatagramPeer join(CmPeer peer, InetSocketAddress group) {
        peer.id().joinMulticast(group);
        CmEvent joined = peer.expect(CmEventType.MULTICAST_JOIN);
        assertEquals(0, joined.status());
        return joined.datagram();
    }

    @Test
    @Rule("CM-24")
    void shouldTellHowToReachTheGroup() {
        CmPeer member = bound(right(), rightCm());
        DatagramPeer way = join(member, group(1));
        assertEquals(EVERYBODY, way.qpNumber());
        assertEquals(QKEY, way.qkey());
        assertEquals(Gid.of(group(1).getAddress()), way.address().destination());
        assertEquals(64, way.address().hopLimit());
        member.id().leaveMulticast(group(1));
    }

    @Test
    @Rule("CM-24")
    void shouldReceiveWhatIsSentToTheGroupUntilItLeaves() {
        CmPeer sender = bound(left(), leftCm());
        CmPeer member = bound(right(), rightCm());
        CmPeer witness = bound(right(), rightCm());
        join(member, group(2));
        join(witness, group(2));
        sender.id().joinMulticast(group(2), true);
        DatagramPeer way = sender.expect(CmEventType.MULTICAST_JOIN).datagram();
        MemoryRegion near = sender.memory(64);
        MemoryRegion far = member.memory(2 * (GRH + 64));
        MemoryRegion other = witness.memory(GRH + 64);
        byte[] pattern = Bytes.pattern(1, 64);
        Bytes.put(near, 0, pattern);
        member.receive(1, far);
        witness.receive(2, other);
        sender.send(3, near, 64, way);
        sender.sent(3);
        member.received(1);
        witness.received(2);
        Bytes.assertAt(far, GRH, pattern);
        member.id().leaveMulticast(group(2));
        member.receive(4, far);
        witness.receive(5, other);
        sender.send(6, near, 32, way);
        sender.sent(6);
        witness.received(5);
        member.expectNothing();
        witness.id().leaveMulticast(group(2));
        sender.id().leaveMulticast(group(2));
    }

    @Test
    @Rule("CM-24")
    void shouldNotReceiveWhenItOnlySends() {
        CmPeer sender = bound(left(), leftCm());
        CmPeer member = bound(right(), rightCm());
        join(member, group(3));
        sender.id().joinMulticast(group(3), true);
        DatagramPeer way = sender.expect(CmEventType.MULTICAST_JOIN).datagram();
        MemoryRegion near = sender.memory(GRH + 64);
        sender.receive(1, near);
        member.receive(2, member.memory(GRH + 64));
        sender.send(3, near, 16, way);
        sender.sent(3);
        member.received(2);
        sender.expectNothing();
        member.id().leaveMulticast(group(3));
        sender.id().leaveMulticast(group(3));
    }

    @Test
    @Rule("CM-24")
    void shouldRefuseToLeaveWhatWasNotJoined() {
        CmPeer member = bound(right(), rightCm());
        RefusedCall.with(Errno.EADDRNOTAVAIL, "another group", () -> member.id().leaveMulticast(group(4)));
        join(member, group(4));
        member.id().leaveMulticast(group(4));
        RefusedCall.with(Errno.EADDRNOTAVAIL, "a second time", () -> member.id().leaveMulticast(group(4)));
    }

    @Test
    @Rule({"CM-24", "CM-14"})
    void shouldLeaveItsGroupsWhenTheIdIsClosed() {
        ConnectionManager cm = rightCm();
        var channel = right().keep(cm.createEventChannel());
        ConnectionId id = cm.createId(channel, PortSpace.UDP);
        id.bind(anyPort(right()));
        var cq = right().keep(id.context().createCompletionQueue(8));
        id.createQueuePair(id.protectionDomain(), QueuePairOptions.of(QueuePairType.UD, cq, cq));
        id.joinMulticast(group(5));
        CmPeer.next(channel, CmEventType.MULTICAST_JOIN);
        id.close();
        assertNull(channel.tryTake());
    }

    @Test
    @Rule({"CM-24", "CM-16"})
    void shouldWaitForTheGroupWithoutAChannel() {
        CmPeer member = new CmPeer(right(), rightCm().createSynchronousId(PortSpace.UDP));
        member.id().bind(anyPort(right()));
        member.withQueuePair();
        member.id().timeout(Deadline.PATIENCE);
        member.id().joinMulticast(group(6));
        assertEquals(CmEventType.MULTICAST_JOIN, member.id().event().type());
        assertEquals(EVERYBODY, member.id().event().datagram().qpNumber());
        member.id().leaveMulticast(group(6));
    }

    @Test
    @Rule("CM-24")
    void shouldRefuseIdsWithoutADevice() {
        ConnectionId id = left().keep(leftCm().createId(left().keep(leftCm().createEventChannel()), PortSpace.UDP));
        RefusedCall.with(Errno.EINVAL, "no device yet", () -> id.joinMulticast(group(7)));
    }
}
