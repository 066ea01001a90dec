package io.verbena.sockets;

import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/// Which peers did not take a connection over RDMA. They are not asked again for a while, so that only the first
/// connection to a peer without RDMA takes longer.
final class FallbackMemory {
    /// The peer, or a device of this host, has said no.
    static final long AFTER_ANSWER_NS = TimeUnit.SECONDS.toNanos(60);

    /// The peer has said nothing. It may have been slow.
    static final long AFTER_SILENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MOST = 10_000;
    private static final ConcurrentHashMap<InetSocketAddress, Long> UNTIL = new ConcurrentHashMap<>();

    private FallbackMemory() {}

    static void remember(InetSocketAddress peer, long timeNs) {
        if (UNTIL.size() >= MOST) {
            UNTIL.clear();
        }
        UNTIL.put(peer, System.nanoTime() + timeNs);
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
