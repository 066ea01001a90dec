package io.verbena.bench.soak;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/// Counters of the run. Several threads write and read them; processes exchange them as text.
final class SoakCounters {
    enum Count {
        ROUNDS,
        VERIFIED,
        KILLS,
        STOPS,
        CONNECTS,
        /// Attempts to connect that failed and were repeated.
        RETRIES,
        FORGED,
        /// Connection requests of strangers that reached the program.
        STRANGERS,
        /// The longest time until the end of a process was noticed.
        LONGEST_DEATH_MS;

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final AtomicLongArray counts = new AtomicLongArray(Count.values().length);

    void add(Count count, long more) {
        counts.addAndGet(count.ordinal(), more);
    }

    void largest(Count count, long value) {
        counts.accumulateAndGet(count.ordinal(), value, Math::max);
    }

    long get(Count count) {
        return counts.get(count.ordinal());
    }

    String encode() {
        StringBuilder text = new StringBuilder();
        for (Count count : Count.values()) {
            text.append(text.isEmpty() ? "" : ",").append(get(count));
        }
        return text.toString();
    }

    static SoakCounters decode(String text) {
        SoakCounters counters = new SoakCounters();
        String[] values = text.split(",");
        for (Count count : Count.values()) {
            counters.add(count, Long.parseLong(values[count.ordinal()]));
        }
        return counters;
    }
}
