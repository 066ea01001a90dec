package io.verbena.soft.cm;

import io.verbena.verbs.attr.Gid;
import java.util.HashMap;
import java.util.Map;

/// Counts half-open connections by host: requested by a peer, and neither established nor given up. When there are
/// many, each host has a share, so that hosts that never answer do not keep others out. Owned by the engine.
final class HalfOpenConnections {
    /// Fewer than a listener's longest backlog, so that there is room for a newcomer.
    static final int MANY = 896;

    /// The least share of a host, however many hosts there are.
    static final int SMALLEST_SHARE = 16;

    private final Map<Gid, Integer> byHost = new HashMap<>();
    private int total;

    /// Whether a host may have one more.
    boolean admits(long high, long low) {
        if (total < MANY) {
            return true;
        }
        Integer its = byHost.get(new Gid(high, low));
        return its == null || its < Math.max(SMALLEST_SHARE, MANY / byHost.size());
    }

    void add(long high, long low) {
        total++;
        byHost.merge(new Gid(high, low), 1, Integer::sum);
    }

    void remove(long high, long low) {
        total--;
        byHost.computeIfPresent(new Gid(high, low), (host, its) -> its == 1 ? null : its - 1);
    }

    boolean isEmpty() {
        return total == 0 && byHost.isEmpty();
    }
}
