package io.verbena.soft.cm;

import io.verbena.roce.mad.CmMessage;
import java.util.LinkedHashMap;
import java.util.Map;

/// A cache of answers to requests that were rejected or, for datagram services, answered: a repeated request gets its
/// answer again, and the program does not see it twice. Bounded: under a flood the oldest are forgotten.
final class RecentAnswers {
    private static final int LIMIT = 256;
    /// Longer than the pause of any peer between two REQs; Linux pauses 6 s.
    private static final long LIFE_NS = 8_000_000_000L;

    private record Entry(CmMessage answer, long endNs) {}

    private final Map<RemoteKey, Entry> entries = new LinkedHashMap<>();

    void add(RemoteKey request, CmMessage answer, long nowNs) {
        entries.remove(request);
        entries.put(request, new Entry(answer, nowNs + LIFE_NS));
        var oldest = entries.values().iterator();
        Entry first = oldest.next();
        if (entries.size() > LIMIT || first.endNs - nowNs <= 0) {
            oldest.remove();
        }
    }

    /// The answer the request got, or null.
    CmMessage find(RemoteKey request, long nowNs) {
        Entry entry = entries.get(request);
        return entry == null || entry.endNs - nowNs <= 0 ? null : entry.answer;
    }

    int size() {
        return entries.size();
    }
}
