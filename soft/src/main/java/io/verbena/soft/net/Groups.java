package io.verbena.soft.net;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/// The multicast groups of a wire, each with the number of times it was joined. Thread-safe, because senders in a
/// simulated network read the groups of other wires.
final class Groups {
    private final InetAddress local;
    private final Map<Gid, Integer> members = new HashMap<>();

    Groups(InetAddress local) {
        this.local = local;
    }

    synchronized boolean has(Gid group) {
        return members.containsKey(group);
    }

    /// Counts one membership more. True when the group is new.
    synchronized boolean add(Gid group) {
        return members.merge(group, 1, Integer::sum) == 1;
    }

    /// Counts one membership less. True when it was the last.
    synchronized boolean remove(Gid group) {
        return members.containsKey(group) && members.merge(group, -1, Groups::sumOrNone) == null;
    }

    private static Integer sumOrNone(int a, int b) {
        return a + b == 0 ? null : Integer.valueOf(a + b);
    }

    void require(Gid group) {
        InetAddress address = group.address();
        if (!address.isMulticastAddress()) {
            throw refused(address, Errno.EINVAL, "not a multicast group; IPv4 has 224.0.0.0/4, IPv6 ff00::/8", null);
        }
        if (address instanceof Inet4Address != local instanceof Inet4Address) {
            throw refused(
                    address,
                    Errno.EINVAL,
                    "the group and the device's address are not both IPv4 or both IPv6; use a group of the"
                            + " device's kind",
                    null);
        }
    }

    RdmaException refused(InetAddress group, Errno errno, String why, Exception cause) {
        return new RdmaException(verb(group, local), errno, why, cause);
    }

    static String verb(InetAddress group, InetAddress local) {
        return "join multicast group " + AddressText.of(group) + " on " + AddressText.of(local);
    }
}
