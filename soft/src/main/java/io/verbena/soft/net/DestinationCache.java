package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Socket addresses by GID, so that sending to a known peer allocates nothing. Of peers with the same slot, the last
/// one is kept.
final class DestinationCache {
    private static final int SLOTS = 1024;
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SLOTS);

    private final long[] high = new long[SLOTS];
    private final long[] low = new long[SLOTS];
    private final InetSocketAddress[] addresses = new InetSocketAddress[SLOTS];
    private final int scope;
    private final int groupScope;

    DestinationCache(InetAddress local) {
        scope = local instanceof Inet6Address six ? six.getScopeId() : 0;
        groupScope = GroupRoute.scope(local);
    }

    InetSocketAddress get(long gidHigh, long gidLow) {
        int slot = (int) ((gidHigh * 31 + gidLow) * SPREAD >>> SHIFT);
        if (addresses[slot] == null || low[slot] != gidLow || high[slot] != gidHigh) {
            high[slot] = gidHigh;
            low[slot] = gidLow;
            addresses[slot] = new InetSocketAddress(scoped(new Gid(gidHigh, gidLow).address()), Wires.PORT);
        }
        return addresses[slot];
    }

    /// Adds the interface of the local address to link-local peers and to groups.
    private InetAddress scoped(InetAddress address) {
        return address.isMulticastAddress()
                ? GroupRoute.scoped(address, groupScope)
                : GroupRoute.scoped(address, address.isLinkLocalAddress() ? scope : 0);
    }
}
