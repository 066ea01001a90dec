package io.verbena.tools.top;

import io.verbena.soft.status.ConnectionStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The connections of a device in one snapshot. Most are at the same place in the next one, so they are looked for
/// there first: that costs much less than a map of thousands.
final class ConnectionHistory {
    /// A connection, since when its oldest request has been waiting, and the longest wait so far.
    record Seen(ConnectionStatus status, long sinceNs, long slowestNs) {}

    private final List<Seen> inOrder;
    private Map<Integer, Seen> byNumber;

    ConnectionHistory(int size) {
        inOrder = new ArrayList<>(size);
    }

    /// Null when there was no such connection.
    Seen find(int place, int number) {
        Seen there = place < inOrder.size() ? inOrder.get(place) : null;
        if (there != null && there.status.number() == number) {
            return there;
        }
        if (byNumber == null) {
            byNumber = new HashMap<>();
            inOrder.forEach(seen -> byNumber.put(seen.status.number(), seen));
        }
        return byNumber.get(number);
    }

    /// Adds the connection at the next place. Its oldest request has been waiting since it was first seen, if none has
    /// been retired since.
    Seen add(Seen before, ConnectionStatus now, long nowNs) {
        boolean isSameRequest = before != null
                && now.outstanding() > 0
                && before.status.outstanding() > 0
                && before.status.retired() == now.retired();
        long sinceNs = isSameRequest ? before.sinceNs : nowNs;
        long slowestNs = Math.max(before == null ? 0 : before.slowestNs, nowNs - sinceNs);
        Seen seen = new Seen(now, sinceNs, slowestNs);
        inOrder.add(seen);
        return seen;
    }
}
