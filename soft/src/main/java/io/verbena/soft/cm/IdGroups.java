package io.verbena.soft.cm;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.DatagramPeer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// The multicast groups that an id joined. Used under the id's monitor.
final class IdGroups {
    /// The queue pair number of all members of a group.
    private static final int EVERYBODY = 0xFF_FFFF;

    private record Join(InetSocketAddress group, Gid gid, Membership membership) {}

    /// The member of the group: the id's queue pair, the device alone, or none for an id that only sends.
    private record Membership(Engine engine, SoftQueuePair queuePair, boolean isSendOnly) {
        void begin(Gid gid) {
            if (queuePair != null && !isSendOnly) {
                queuePair.attachMulticast(gid);
            } else if (!isSendOnly) {
                engine.execute(() -> engine.wire().join(gid.high(), gid.low()));
            }
        }

        void end(Gid gid) {
            if (queuePair != null && !isSendOnly) {
                if (!queuePair.isClosed()) {
                    queuePair.detachMulticast(gid);
                }
            } else if (!isSendOnly) {
                engine.execute(() -> engine.wire().leave(gid.high(), gid.low()));
            }
        }
    }

    private final List<Join> joins = new ArrayList<>();

    /// How to reach the group. A group that the id is in already is not joined again.
    DatagramPeer join(
            SoftSharedDevice device, SoftQueuePair qp, InetSocketAddress group, boolean sendOnly, int service) {
        if (group.isUnresolved() || !group.getAddress().isMulticastAddress()) {
            throw new RdmaException(
                    "rdma_join_multicast",
                    Errno.EINVAL,
                    group + " is not a multicast group; IPv4 has 224.0.0.0/4, IPv6 ff00::/8");
        }
        Gid gid = Gid.of(group.getAddress());
        Membership membership = new Membership(device.engine(), qp, sendOnly);
        if (joins.stream().noneMatch(join -> join.gid.equals(gid) && !join.membership.isSendOnly)) {
            membership.begin(gid);
            joins.add(new Join(group, gid, membership));
        }
        AddressVector vector = AddressVector.to(gid).withTrafficClass(service);
        return new DatagramPeer(vector, EVERYBODY, PortSpaces.DATAGRAM_QKEY);
    }

    void leave(InetSocketAddress group) {
        Join found = joins.stream()
                .filter(join -> join.group.equals(group))
                .findFirst()
                .orElseThrow(() ->
                        new RdmaException("rdma_leave_multicast", Errno.EADDRNOTAVAIL, "the id did not join " + group));
        joins.remove(found);
        found.membership.end(found.gid);
    }

    /// Leaves all groups before the queue pair is closed, which is refused while it belongs to one.
    void leaveAll() {
        List<Join> all = List.copyOf(joins);
        joins.clear();
        all.forEach(join -> join.membership.end(join.gid));
    }
}
