package io.verbena.rdmacore.cm;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;

/// A queue of deadlines, at most one for each thing. Not safe for several threads.
final class Deadlines<T> {
    /// Times are compared by their difference: the clock may wrap. The number distinguishes equal times.
    private record Entry<T>(long deadlineNs, long number, T thing) {}

    private final TreeSet<Entry<T>> entries =
            new TreeSet<>(Comparator.<Entry<T>, Long>comparing(Entry::deadlineNs, (a, b) -> Long.signum(a - b))
                    .thenComparingLong(Entry::number));
    private final Map<T, Entry<T>> byThing = new HashMap<>();
    private long numbers;

    void set(T thing, long deadlineNs) {
        cancel(thing);
        Entry<T> entry = new Entry<>(deadlineNs, numbers++, thing);
        entries.add(entry);
        byThing.put(thing, entry);
    }

    void cancel(T thing) {
        Entry<T> entry = byThing.remove(thing);
        if (entry != null) {
            entries.remove(entry);
        }
    }

    OptionalLong get(T thing) {
        Entry<T> entry = byThing.get(thing);
        return entry == null ? OptionalLong.empty() : OptionalLong.of(entry.deadlineNs);
    }

    OptionalLong earliest() {
        return entries.isEmpty() ? OptionalLong.empty() : OptionalLong.of(entries.first().deadlineNs);
    }

    /// A thing whose time is over, which has no deadline any more; null when there is none.
    T takeExpired(long nowNs) {
        if (entries.isEmpty() || entries.first().deadlineNs - nowNs > 0) {
            return null;
        }
        Entry<T> entry = entries.pollFirst();
        byThing.remove(entry.thing);
        return entry.thing;
    }
}
