package io.verbena.soft.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;

/// Counters of a device. Only the engine's owner counts; anybody may read.
public final class Counters {
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[Counter.values().length];

    public Counters() {}

    public void add(Counter counter, long n) {
        int i = counter.ordinal();
        VALUE.setOpaque(values, i, values[i] + n);
    }

    public void increment(Counter counter) {
        add(counter, 1);
    }

    public long get(Counter counter) {
        return (long) VALUE.getOpaque(values, counter.ordinal());
    }

    /// All counters that are not zero.
    public Map<Counter, Long> snapshot() {
        Map<Counter, Long> all = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            long value = get(counter);
            if (value != 0) {
                all.put(counter, value);
            }
        }
        return all;
    }
}
