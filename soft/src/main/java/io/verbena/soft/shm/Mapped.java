package io.verbena.soft.shm;

import static io.verbena.soft.shm.DeviceLayout.INT;
import static io.verbena.soft.shm.DeviceLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Words of shared memory by their address, without the checks of a segment, which take longer than the words
/// themselves. Only for who owns the engine, and only what it has mapped: nobody else unmaps that.
final class Mapped {
    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private Mapped() {}

    static long get(long address) {
        return ALL.get(ValueLayout.JAVA_LONG, address);
    }

    static void set(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG, address, value);
    }

    static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    static long getAcquire(long address) {
        return (long) LONG.getAcquire(ALL, address);
    }

    static int getIntAcquire(long address) {
        return (int) INT.getAcquire(ALL, address);
    }

    static void setRelease(long address, long value) {
        LONG.setRelease(ALL, address, value);
    }

    static void setIntRelease(long address, int value) {
        INT.setRelease(ALL, address, value);
    }

    static void setIntOpaque(long address, int value) {
        INT.setOpaque(ALL, address, value);
    }
}
