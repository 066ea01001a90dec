package io.verbena.soft.engine;

import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.net.Wire;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.util.Arrays;
import java.util.Objects;

/// The members of multicast groups. The wire is a member of a group while a queue pair is. Owned by the engine. Finding
/// a group allocates nothing.
public final class MulticastTable {
    private static final int BUCKETS = 256;

    /// A group with its members, and the next group of the same bucket.
    private static final class Group {
        final Gid gid;
        Group next;
        ServedQueuePair[] members = new ServedQueuePair[4];
        int count;

        Group(Gid gid, Group next) {
            this.gid = gid;
            this.next = next;
        }

        int indexOf(ServedQueuePair qp) {
            for (int i = 0; i < count; i++) {
                if (members[i] == qp) {
                    return i;
                }
            }
            return -1;
        }
    }

    private final Wire wire;
    private final Group[] buckets = new Group[BUCKETS];
    private int groups;

    MulticastTable(Wire wire) {
        this.wire = wire;
    }

    private static int bucket(long high, long low) {
        long mixed = (high * 31 + low) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> 56);
    }

    private Group find(long high, long low) {
        Group group = buckets[bucket(high, low)];
        while (group != null && (group.gid.low() != low || group.gid.high() != high)) {
            group = group.next;
        }
        return group;
    }

    /// Makes a queue pair a member of a group. Attaching it again has no effect.
    public void attach(ServedQueuePair qp, Gid gid) {
        Objects.requireNonNull(gid, "the group is null");
        String verb = "attach QP 0x%x to group %s".formatted(qp.number(), gid);
        Group group = find(gid.high(), gid.low());
        if (group != null && group.indexOf(qp) >= 0) {
            return;
        }
        if (group != null && group.count == SoftLimits.MAX_QUEUE_PAIRS_PER_GROUP) {
            throw new RdmaException(
                    verb,
                    Errno.ENOMEM,
                    "the group has " + group.count + " queue pairs already, the device's limit; detach one first");
        }
        Group joined = group == null ? join(verb, gid) : group;
        if (joined.count == joined.members.length) {
            joined.members = Arrays.copyOf(joined.members, 2 * joined.count);
        }
        joined.members[joined.count++] = qp;
        qp.groups++;
    }

    private Group join(String verb, Gid gid) {
        if (groups == SoftLimits.MAX_MULTICAST_GROUPS) {
            throw new RdmaException(
                    verb, Errno.ENOMEM, "the device is in " + groups + " groups already, its limit; detach from some");
        }
        wire.join(gid.high(), gid.low());
        int bucket = bucket(gid.high(), gid.low());
        Group group = new Group(gid, buckets[bucket]);
        buckets[bucket] = group;
        groups++;
        return group;
    }

    /// Ends a membership.
    public void detach(ServedQueuePair qp, Gid gid) {
        Objects.requireNonNull(gid, "the group is null");
        Group group = find(gid.high(), gid.low());
        int index = group == null ? -1 : group.indexOf(qp);
        if (index < 0) {
            throw new RdmaException(
                    "detach QP 0x%x from group %s".formatted(qp.number(), gid),
                    Errno.EINVAL,
                    "the queue pair is not attached to it");
        }
        remove(group, index);
    }

    /// Ends all memberships of a queue pair.
    public void detachAll(ServedQueuePair qp) {
        if (qp.groups == 0) {
            return;
        }
        for (Group first : buckets) {
            for (Group group = first; group != null; group = group.next) {
                int index = group.indexOf(qp);
                if (index >= 0) {
                    remove(group, index);
                }
            }
        }
    }

    private void remove(Group group, int index) {
        group.members[index].groups--;
        group.members[index] = group.members[--group.count];
        group.members[group.count] = null;
        if (group.count == 0) {
            unlink(group);
            groups--;
            wire.leave(group.gid.high(), group.gid.low());
        }
    }

    private void unlink(Group gone) {
        int bucket = bucket(gone.gid.high(), gone.gid.low());
        if (buckets[bucket] == gone) {
            buckets[bucket] = gone.next;
            return;
        }
        Group before = buckets[bucket];
        while (before.next != gone) {
            before = before.next;
        }
        before.next = gone.next;
    }

    /// Gives a packet to each member of the group it was sent to; false when there is none.
    boolean deliver(PacketView packet, PacketDispatcher dispatcher) {
        Group group = find(packet.frame().destinationHigh(), packet.frame().destinationLow());
        if (group == null) {
            return false;
        }
        for (int i = 0; i < group.count; i++) {
            dispatcher.deliver(packet, group.members[i]);
        }
        return true;
    }
}
