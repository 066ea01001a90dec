package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;

/// Socket addresses by GID, so that sending to a known peer allocates nothing. Open addressing; forgets all when
/// half full.
final class DestinationCache {
    private static final int SLOTS = 1024;

    private final long[] high = new long[SLOTS];
    private final long[] low = new long[SLOTS];
    private final InetSocketAddress[] addresses = new InetSocketAddress[SLOTS];
    private final int scope;
    private final int groupScope;
    private int size;

    DestinationCache(InetAddress local) {
        scope = local instanceof Inet6Address six ? six.getScopeId() : 0;
        groupScope = GroupRoute.scope(local);
    }

    InetSocketAddress get(long gidHigh, long gidLow) {
        int i = slot(gidHigh, gidLow);
        while (addresses[i] != null) {
            if (low[i] == gidLow && high[i] == gidHigh) {
                return addresses[i];
            }
            i = (i + 1) % SLOTS;
        }
        return add(gidHigh, gidLow);
    }

    int size() {
        return size;
    }

    private InetSocketAddress add(long gidHigh, long gidLow) {
        if (size == SLOTS / 2) {
            Arrays.fill(addresses, null);
            size = 0;
        }
        int i = slot(gidHigh, gidLow);
        while (addresses[i] != null) {
            i = (i + 1) % SLOTS;
        }
        high[i] = gidHigh;
        low[i] = gidLow;
        addresses[i] = new InetSocketAddress(scoped(new Gid(gidHigh, gidLow).address()), Wires.PORT);
        size++;
        return addresses[i];
    }

    /// A link-local peer is on the link of the local address, and a group is reached through it.
    private InetAddress scoped(InetAddress address) {
        return address.isMulticastAddress()
                ? GroupRoute.scoped(address, groupScope)
                : GroupRoute.scoped(address, address.isLinkLocalAddress() ? scope : 0);
    }

    private static int slot(long high, long low) {
        long mixed = (high * 31 + low) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> 54);
    }
}
