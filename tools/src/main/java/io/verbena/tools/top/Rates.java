package io.verbena.tools.top;

import io.verbena.soft.status.ShardStatus;
import java.util.HashMap;
import java.util.Map;

/// Rates from two readings of a counter.
final class Rates {
    private static final double NS_PER_SECOND = 1e9;

    private Rates() {}

    /// A counter that became smaller began anew.
    static double perSecond(long difference, long passedNs) {
        return passedNs <= 0 ? Double.NaN : Math.max(0, difference) * NS_PER_SECOND / passedNs;
    }

    /// The rates of all counters; empty when there is no reading before.
    static Map<String, Double> of(ShardStatus before, ShardStatus now, long passedNs) {
        return before == null ? Map.of() : of(before.counters(), now.counters(), passedNs);
    }

    static Map<String, Double> of(Map<String, Long> before, Map<String, Long> now, long passedNs) {
        Map<String, Double> rates = new HashMap<>();
        if (passedNs > 0) {
            now.forEach((name, value) -> rates.put(name, perSecond(value - before.getOrDefault(name, 0L), passedNs)));
        }
        return rates;
    }
}
