package io.verbena.soft.qp;

import static io.verbena.soft.rig.DatagramPair.GRH;
import static io.verbena.soft.rig.DatagramPair.QKEY;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.rig.DatagramPair;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class MulticastTest {
    private static final int ALL = 0xFF_FFFF;
    private static final Gid GROUP = Gid.of(InetAddress.ofLiteral("239.1.2.3"));

    private final DatagramPair pair = new DatagramPair(9);
    private final DatagramPair.Node left = pair.left;
    private final DatagramPair.Node right = pair.right;

    @AfterEach
    void shouldNeverFaultAndCloseAll() {
        assertEquals(0, left.count(Counter.ENGINE_FAULTS) + right.count(Counter.ENGINE_FAULTS));
        pair.close();
    }

    private static Gid group(int n) {
        return new Gid(0, 0xFFFF_EF05_0000L + n);
    }

    private void send(long wrId, Gid group) {
        left.post(left.request(wrId, 0, 16).to(left.handleTo(group), ALL, QKEY));
        pair.run();
    }

    private static void refused(Errno errno, Executable what) {
        assertEquals(errno, assertThrows(RdmaException.class, what).errno());
    }

    @Test
    void shouldTellTheGroupAsDestinationAndFindTheWayBack() {
        right.qp.attachMulticast(GROUP);
        right.receive(1, 0, GRH + 64);
        send(2, GROUP);
        assertEquals(List.of(1L), right.wrIds());
        MemorySegment area = right.memory.memory().asSlice(0, GRH);
        assertArrayEquals(GROUP.address().getAddress(), area.asSlice(36, 4).toArray(ValueLayout.JAVA_BYTE));
        AddressHandle back = right.pd.createAddressHandle(right.completions.getFirst(), area, 1);
        assertEquals(Gid.of(left.address), back.address().destination());
    }

    @Test
    void shouldReachMembersOfTheSendersOwnDeviceToo() {
        QueuePair beside = left.datagrams();
        beside.attachMulticast(GROUP);
        left.qp.attachMulticast(GROUP);
        left.receive(beside, 1, 0, GRH + 64);
        left.receive(2, 128, GRH + 64);
        send(3, GROUP);
        List<Long> ids = new ArrayList<>(left.wrIds());
        ids.sort(null);
        assertEquals(List.of(1L, 2L, 3L), ids);
    }

    @Test
    void shouldBeAMemberOfTheNetworksGroupOnlyWhileAQueuePairIs() {
        QueuePair second = right.datagrams();
        right.qp.attachMulticast(GROUP);
        second.attachMulticast(GROUP);
        right.qp.detachMulticast(GROUP);
        right.receive(second, 1, 0, GRH + 64);
        send(2, GROUP);
        assertEquals(List.of(1L), right.wrIds());
        second.detachMulticast(GROUP);
        long received = right.count(Counter.PACKETS_RECEIVED);
        send(3, GROUP);
        assertEquals(received, right.count(Counter.PACKETS_RECEIVED), "the network does not bring it any more");
    }

    @Test
    void shouldDropAGroupsNumberThatComesToOneDeviceAlone() {
        right.qp.attachMulticast(GROUP);
        right.receive(1, 0, GRH + 64);
        left.post(left.request(2, 0, 16).to(left.handleTo(right), ALL, QKEY));
        left.post(left.request(3, 0, 16).to(left.handleTo(GROUP), right.qp.number(), QKEY));
        pair.run();
        assertEquals(List.of(), right.completions);
        assertEquals(2, right.count(Counter.DROPPED_UNKNOWN_QP));
    }

    @Test
    void shouldBeInAsManyGroupsAsItSaysAndNotOneMore() {
        int limit = left.context.attributes().maxMulticastGroups();
        assertEquals(SoftLimits.MAX_MULTICAST_GROUPS, limit);
        for (int i = 0; i < limit; i++) {
            left.qp.attachMulticast(group(i));
        }
        refused(Errno.ENOMEM, () -> left.qp.attachMulticast(group(limit)));
        left.qp.attachMulticast(group(0));
        refused(Errno.EBUSY, left.qp::close);
        for (int i = 0; i < limit; i += 2) {
            left.qp.detachMulticast(group(i));
            refused(Errno.EINVAL, () -> left.qp.detachMulticast(group(0)));
        }
        left.receive(1, 0, GRH + 64);
        send(2, group(0));
        send(3, group(1));
        assertEquals(List.of(2L, 3L, 1L), left.wrIds());
        for (int i = 1; i < limit; i += 2) {
            left.qp.detachMulticast(group(i));
        }
        left.qp.close();
        refused(Errno.EBADF, () -> left.qp.attachMulticast(GROUP));
    }

    @Test
    void shouldHaveAsManyMembersAsItSaysAndNotOneMore() {
        int limit = right.context.attributes().details().maxQueuePairsPerGroup();
        List<QueuePair> members = new ArrayList<>();
        for (int i = 0; i < limit; i++) {
            members.add(right.datagrams());
            members.getLast().attachMulticast(GROUP);
        }
        refused(Errno.ENOMEM, () -> right.qp.attachMulticast(GROUP));
        members.getFirst().detachMulticast(GROUP);
        right.qp.attachMulticast(GROUP);
    }

    @Test
    void shouldCloseAllOfAContextInGroups() {
        DatagramPair.Node third = pair.node("10.0.0.3");
        third.qp.attachMulticast(GROUP);
        third.context.closeAll();
        send(1, GROUP);
        assertEquals(List.of(1L), left.wrIds());
    }

    @Test
    void shouldHaveGroupsOfIpv6() {
        Gid group = Gid.of(InetAddress.ofLiteral("ff15::77"));
        DatagramPair.Node near = pair.node("fd00::1");
        DatagramPair.Node far = pair.node("fd00::2");
        far.qp.attachMulticast(group);
        far.receive(1, 0, GRH + 64);
        near.post(near.request(2, 0, 16).to(near.handleTo(group), ALL, QKEY));
        pair.run();
        far.poll();
        assertEquals(List.of(1L), far.wrIds());
        assertArrayEquals(group.bytes(), far.memory.memory().asSlice(24, 16).toArray(ValueLayout.JAVA_BYTE));
        near.context.closeAll();
        far.context.closeAll();
    }

    @Test
    void shouldRefuseGroupsOfTheOtherKind() {
        refused(Errno.EINVAL, () -> left.qp.attachMulticast(Gid.of(InetAddress.ofLiteral("ff0e::1"))));
        left.qp.close();
    }
}
