package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Flush extended transport header: the placement type, and which memory is flushed.
public final class Feth {
    public static final int BYTES = 4;

    /// Placement types; both may be asked for at once.
    public static final int GLOBAL_VISIBILITY = 1;

    public static final int PERSISTENCE = 2;

    /// Selectivity levels.
    public static final int RANGE = 0;

    public static final int WHOLE_REGION = 1;

    private static final int PLACEMENT = 0x0F;
    private static final int SELECTIVITY = 0x30;
    private static final int SELECTIVITY_SHIFT = 4;

    private Feth() {}

    /// Writes all 4 bytes in one store.
    public static void write(MemorySegment p, long at, int placementType, int selectivity) {
        BigEndian.i32(p, at, placementType & PLACEMENT | selectivity << SELECTIVITY_SHIFT & SELECTIVITY);
    }

    /// The placement types, as bits.
    public static int placementType(MemorySegment p, long at) {
        return BigEndian.u8(p, at + 3) & PLACEMENT;
    }

    /// Sets the placement types, as bits.
    public static void placementType(MemorySegment p, long at, int value) {
        BigEndian.u8(p, at + 3, BigEndian.u8(p, at + 3) & ~PLACEMENT | value & PLACEMENT);
    }

    /// The selectivity level: a range or a whole region.
    public static int selectivity(MemorySegment p, long at) {
        return (BigEndian.u8(p, at + 3) & SELECTIVITY) >>> SELECTIVITY_SHIFT;
    }

    /// Sets the selectivity level: a range or a whole region.
    public static void selectivity(MemorySegment p, long at, int value) {
        BigEndian.u8(p, at + 3, BigEndian.u8(p, at + 3) & ~SELECTIVITY | value << SELECTIVITY_SHIFT & SELECTIVITY);
    }
}
