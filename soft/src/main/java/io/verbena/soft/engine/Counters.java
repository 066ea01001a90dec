package io.verbena.soft.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// Counters of a device. The engine's owner increments them, other threads only by [#incrementAtomically]. Any thread
/// may read them.
public final class Counters {
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[Counter.values().length];

    private final long[] atomicValues = new long[Counter.values().length];
    private LongSupplier messages = () -> 0;

    /// The messages of the local path are counted elsewhere.
    void localMessages(LongSupplier source) {
        messages = source;
    }

    /// Like [#increment], but from any thread. For rare events, because it takes an atomic instruction.
    public void incrementAtomically(Counter counter) {
        VALUE.getAndAdd(atomicValues, counter.ordinal(), 1L);
    }

    public void add(Counter counter, long n) {
        int i = counter.ordinal();
        VALUE.setOpaque(values, i, values[i] + n);
    }

    public void increment(Counter counter) {
        add(counter, 1);
    }

    public long get(Counter counter) {
        int i = counter.ordinal();
        long counted = (long) VALUE.getOpaque(values, i) + (long) VALUE.getOpaque(atomicValues, i);
        return counter == Counter.SHARED_MESSAGES ? counted + messages.getAsLong() : counted;
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
