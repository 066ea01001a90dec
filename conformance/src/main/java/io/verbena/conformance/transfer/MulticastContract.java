package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/// Datagrams to a group of queue pairs.
public abstract class MulticastContract extends Contract {
    private static final int QKEY = 0x0123_4567;
    private static final int GRH = 40;
    private static final int ALL = 0xFF_FFFF;
    /// 224.0.0.1, which every host belongs to: devices that leave it to the host to join groups get it, too.
    private static final Gid EVERY_HOST = Gid.of(InetAddress.ofLiteral("224.0.0.1"));
    private static final Gid EVERY_HOST_6 = Gid.of(InetAddress.ofLiteral("ff02::1"));

    protected MulticastContract() {}

    private static LinkEnd end(TestDevice side) {
        return LinkEnd.datagram(side, LinkOptions.DEFAULT, QKEY);
    }

    private AddressHandle handle(Gid group) {
        AddressVector path = left().pathTo(right());
        return left().keep(left().pd()
                .createAddressHandle(new AddressVector(group, path.sourceGidIndex(), 1, 0, path.hopLimit(), 0)));
    }

    private LinkEnd member(Gid group) {
        LinkEnd end = end(right());
        end.qp().attachMulticast(group);
        return end;
    }

    private static void leave(Gid group, LinkEnd... members) {
        for (LinkEnd member : members) {
            member.qp().detachMulticast(group);
        }
    }

    private void send(LinkEnd from, AddressHandle handle, MemoryRegion source, int length) {
        from.post(from.request(1).send().from(source, 0, length).to(handle, ALL, QKEY));
        from.sent(1);
    }

    private Gid group() {
        right().assumeGroups();
        if (right().quirks().has(Deviation.MULTICAST_NEEDS_HOST_IN_GROUP)) {
            return right().address() instanceof Inet4Address ? EVERY_HOST : EVERY_HOST_6;
        }
        return right().group(0x109);
    }

    @Test
    @Rule("UD-5")
    void shouldHandEachMemberACopy() {
        Gid group = group();
        LinkEnd left = end(left());
        LinkEnd[] members = {member(group), member(group), member(group)};
        LinkEnd stranger = end(right());
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(4 * 128);
        AddressHandle handle = handle(group);
        stranger.receive(9, target, 3 * 128, 128);
        for (int round = 0; round < 3; round++) {
            byte[] pattern = Bytes.pattern(round, 48 + round);
            Bytes.put(source, 0, pattern);
            for (int i = 0; i < members.length; i++) {
                members[i].receive(i, target, 128L * i, 128);
            }
            send(left, handle, source, pattern.length);
            for (int i = 0; i < members.length; i++) {
                assertEquals(GRH + pattern.length, members[i].received(i).byteLength());
                Bytes.assertAt(target, 128L * i + GRH, pattern);
                members[i].expectNoCompletion();
            }
        }
        stranger.expectNoCompletion();
        leave(group, members);
    }

    @Test
    @Rule("UD-5")
    void shouldDropACopyThatFindsNoReceive() {
        Gid group = group();
        LinkEnd left = end(left());
        LinkEnd empty = member(group);
        LinkEnd ready = empty.beside(QKEY);
        ready.qp().attachMulticast(group);
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(256);
        AddressHandle handle = handle(group);
        ready.receive(1, target, 0, 128);
        send(left, handle, source, 64);
        assertEquals(GRH + 64, ready.received(1).byteLength());
        empty.receive(2, target, 128, 128);
        ready.receive(3, target, 0, 128);
        send(left, handle, source, 32);
        assertEquals(GRH + 32, empty.received(2).byteLength(), "the first copy was dropped");
        assertEquals(GRH + 32, ready.received(3).byteLength());
        leave(group, empty, ready);
    }

    @Test
    @Rule("UD-5")
    void shouldSendNothingToWhoLeft() {
        Gid group = group();
        LinkEnd left = end(left());
        LinkEnd stays = member(group);
        LinkEnd leaves = member(group);
        MemoryRegion target = right().memory(256);
        leave(group, leaves);
        leaves.receive(1, target, 0, 128);
        stays.receive(2, target, 128, 128);
        send(left, handle(group), left().memory(64), 64);
        stays.received(2);
        leaves.expectNoCompletion();
        leave(group, stays);
        leaves.qp().close();
    }

    @Test
    @Rule("UD-5")
    void shouldCountAMemberOnceHoweverOftenItJoined() {
        Gid group = group();
        LinkEnd left = end(left());
        LinkEnd member = member(group);
        member.qp().attachMulticast(group);
        MemoryRegion target = right().memory(256);
        member.receive(1, target, 0, 128);
        member.receive(2, target, 128, 128);
        AddressHandle handle = handle(group);
        send(left, handle, left().memory(64), 64);
        send(left, handle, left().memory(64), 32);
        assertEquals(GRH + 64, member.received(1).byteLength());
        assertEquals(GRH + 32, member.received(2).byteLength(), "one copy of the first");
        leave(group, member);
        RefusedCall.with(Errno.EINVAL, "leave a group a second time", () -> leave(group, member));
    }

    @Test
    @Rule({"UD-5", "UD-1"})
    void shouldLookAtTheQueueKeyOfEachCopy() {
        Gid group = group();
        LinkEnd left = end(left());
        LinkEnd member = member(group);
        LinkEnd other = LinkEnd.datagram(right(), LinkOptions.DEFAULT, QKEY + 1);
        other.qp().attachMulticast(group);
        MemoryRegion target = right().memory(256);
        other.receive(1, target, 0, 128);
        member.receive(2, target, 128, 128);
        send(left, handle(group), left().memory(64), 64);
        member.received(2);
        other.expectNoCompletion();
        leave(group, member, other);
    }

    @Test
    @Rule("UD-6")
    void shouldRefuseGroupsThatAreNone() {
        LinkEnd end = end(left());
        Gid unicast = Gid.of(right().address());
        RefusedCall.with(Errno.EINVAL, "join " + unicast, () -> end.qp().attachMulticast(unicast));
        Gid group = left().group(0x109);
        RefusedCall.with(Errno.EINVAL, "leave " + group, () -> end.qp().detachMulticast(group));
        end.qp().close();
    }

    @Test
    @Rule("UD-6")
    void shouldLetDatagramQueuePairsJoinOnly() {
        LinkEnd connected = link().left();
        RefusedCall.with(
                Errno.EINVAL, "a connected queue pair", () -> connected.qp().attachMulticast(left().group(0x109)));
    }

    @Test
    @Rule({"UD-5", "QP-12"})
    void shouldBelongToSeveralGroups() {
        left().assumeGroups();
        LinkEnd end = end(left());
        int groups = Math.min(16, left().context().attributes().maxMulticastGroups());
        for (int i = 0; i < groups; i++) {
            end.qp().attachMulticast(left().group(0x200 + i));
        }
        for (int i = 0; i < groups; i++) {
            RefusedCall.with(Errno.EBUSY, "close a queue pair in a group", end.qp()::close);
            end.qp().detachMulticast(left().group(0x200 + i));
        }
        end.qp().close();
    }
}
