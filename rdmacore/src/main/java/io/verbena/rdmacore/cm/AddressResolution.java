package io.verbena.rdmacore.cm;

import java.net.InetSocketAddress;
import java.time.Duration;

/// The resolution of an address, in several attempts: the kernel may miss the ARP reply and notice it only when an
/// attempt ends.
record AddressResolution(InetSocketAddress peer, long untilNs) {
    private static final long ATTEMPT_NS = Duration.ofSeconds(1).toNanos();

    /// 0, or the error number, negated.
    int start(long id, long nowNs) {
        long leftNs = Math.clamp(untilNs - nowNs, 0, ATTEMPT_NS);
        return IdCalls.resolveAddress(id, peer, Duration.ofNanos(leftNs));
    }

    /// Starts another attempt after one that timed out: false when all the time is over.
    boolean tryAgain(long id, long nowNs) {
        return untilNs - nowNs > 0 && start(id, nowNs) == 0;
    }
}
