package io.verbena.soft.net;

import io.verbena.verbs.attr.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// Socket addresses by GID, so that sending to a known peer allocates nothing. Open addressing; forgets all when
/// half full.
final class DestinationCache {
    private static final int SLOTS = 1024;

    private final long[] high = new long[SLOTS];
    private final long[] low = new long[SLOTS];
    private final InetSocketAddress[] addresses = new InetSocketAddress[SLOTS];
    private final int scope;
    private int size;

    DestinationCache(InetAddress local) {
        scope = local instanceof Inet6Address six ? six.getScopeId() : 0;
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

    /// A link-local peer is on the link of the local address.
    private InetAddress scoped(InetAddress address) {
        if (scope == 0 || !address.isLinkLocalAddress() || !(address instanceof Inet6Address)) {
            return address;
        }
        try {
            return Inet6Address.getByAddress(null, address.getAddress(), scope);
        } catch (UnknownHostException impossible) {
            throw new AssertionError("an address of 16 bytes is always legal", impossible);
        }
    }

    private static int slot(long high, long low) {
        long mixed = (high * 31 + low) * 0x9E37_79B9_7F4A_7C15L;
        return (int) (mixed >>> 54);
    }
}
