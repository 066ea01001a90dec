package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.qp.NativeQueuePair;
import io.verbena.verbs.attr.AddressVector;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The groups that an id joined. A join has a number, by which librdmacm reports its outcome.
final class MulticastGroups {
    private static final class Join {
        private final InetSocketAddress group;
        private final boolean sendOnly;
        private AddressVector attached;

        private Join(InetSocketAddress group, boolean sendOnly) {
            this.group = group;
            this.sendOnly = sendOnly;
        }
    }

    private final Map<Long, Join> joins = new HashMap<>();
    private long numbers;

    long add(InetSocketAddress group, boolean sendOnly) {
        numbers++;
        joins.put(numbers, new Join(group, sendOnly));
        return numbers;
    }

    void forget(long number) {
        joins.remove(number);
    }

    /// On a successful join: from now on the queue pair receives what is sent to the group, unless it is only to send.
    void onJoined(long number, AddressVector address, NativeQueuePair qp) {
        Join join = joins.get(number);
        if (join != null && !join.sendOnly && qp != null) {
            qp.attachMulticast(address.destination(), address.destinationLid());
            join.attached = address;
        }
    }

    boolean has(long number) {
        return joins.containsKey(number);
    }

    /// Leaves one; false when it was not joined.
    boolean remove(InetSocketAddress group, NativeQueuePair qp) {
        for (Map.Entry<Long, Join> entry : joins.entrySet()) {
            if (entry.getValue().group.equals(group)) {
                joins.remove(entry.getKey());
                detach(entry.getValue(), qp);
                return true;
            }
        }
        return false;
    }

    /// Leaves all groups before the queue pair is destroyed, which is refused while it belongs to one.
    void detachAll(NativeQueuePair qp) {
        List<Join> all = new ArrayList<>(joins.values());
        joins.clear();
        all.forEach(join -> detach(join, qp));
    }

    private static void detach(Join join, NativeQueuePair qp) {
        if (join.attached != null && qp != null) {
            qp.detachMulticast(join.attached.destination(), join.attached.destinationLid());
            join.attached = null;
        }
    }
}
