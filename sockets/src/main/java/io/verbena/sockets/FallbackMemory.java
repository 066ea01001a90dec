package io.verbena.sockets;

import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Which peers did not take a connection over RDMA. They are not asked again for a while, so that only the first
/// connection to a peer without RDMA takes longer.
final class FallbackMemory {
    private static final long REMEMBERED_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int MOST = 10_000;
    private static final ConcurrentHashMap<InetSocketAddress, Long> UNTIL = new ConcurrentHashMap<>();

    private FallbackMemory() {}

    static void remember(InetSocketAddress peer) {
        if (UNTIL.size() >= MOST) {
            UNTIL.clear();
        }
        UNTIL.put(peer, System.nanoTime() + REMEMBERED_NS);
    }

    static boolean isRemembered(InetSocketAddress peer) {
        Long untilNs = UNTIL.get(peer);
        if (untilNs == null) {
            return false;
        }
        if (untilNs - System.nanoTime() > 0) {
            return true;
        }
        UNTIL.remove(peer, untilNs);
        return false;
    }

    static void forgetAll() {
        UNTIL.clear();
    }
}
