package io.verbena.conformance.bench;

import static org.junit.jupiter.api.Assertions.fail;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A region in the middle of a larger block, so that changed bytes outside the region are noticed, too.
public final class GuardedRegion {
    public static final int BYTES = 4096;
    private static final int AROUND = 4096;

    private final MemorySegment block = Arena.ofAuto().allocate(AROUND + BYTES + AROUND, AROUND);
    private final byte[] before;
    private final MemoryRegion region;

    public GuardedRegion(TestDevice side, long seed, Access... rights) {
        this(side, side.pd(), seed, rights);
    }

    public GuardedRegion(TestDevice side, ProtectionDomain pd, long seed, Access... rights) {
        before = Bytes.pattern(seed, AROUND + BYTES + AROUND);
        MemorySegment.copy(before, 0, block, ValueLayout.JAVA_BYTE, 0, before.length);
        region = side.keep(pd.register(block.asSlice(AROUND, BYTES), rights));
    }

    public MemoryRegion region() {
        return region;
    }

    /// Fails unless all bytes, of the region and around it, are what they were.
    public void assertUnchanged() {
        assertUnchangedBut(0, 0);
    }

    /// As [#assertUnchanged], but these bytes of the region may hold anything.
    public void assertUnchangedBut(int from, int length) {
        for (int i = 0; i < before.length; i++) {
            boolean free = i >= AROUND + from && i < AROUND + from + length;
            byte now = block.get(ValueLayout.JAVA_BYTE, i);
            if (!free && now != before[i]) {
                fail("byte %d of the region (it has %d) became 0x%02x, was 0x%02x"
                        .formatted(i - AROUND, BYTES, now, before[i]));
            }
        }
    }
}
