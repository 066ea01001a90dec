package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A region in the middle of a larger block, so that a byte written next to the region shows.
public final class GuardedMemory {
    private static final int GUARD_BYTES = 4096;
    private static final byte GUARD = (byte) 0xA5;
    private static final byte UNWRITTEN = 0x5A;

    private final MemorySegment block;
    private final MemorySegment inside;
    private final MemoryRegion region;
    private final int guardBytes;

    public GuardedMemory(ProtectionDomain pd, int bytes) {
        this(
                pd,
                bytes,
                Access.LOCAL_WRITE,
                Access.REMOTE_READ,
                Access.REMOTE_WRITE,
                Access.REMOTE_ATOMIC,
                Access.FLUSH_GLOBAL);
    }

    public GuardedMemory(ProtectionDomain pd, int bytes, Access... rights) {
        block = Arena.ofAuto().allocate(GUARD_BYTES + bytes + GUARD_BYTES, Long.BYTES);
        block.fill(GUARD);
        guardBytes = GUARD_BYTES;
        inside = block.asSlice(GUARD_BYTES, bytes);
        inside.fill(UNWRITTEN);
        region = pd.register(inside, rights);
    }

    private GuardedMemory(MemoryRegion region) {
        this.region = region;
        block = region.memory();
        inside = block;
        guardBytes = 0;
        inside.fill(UNWRITTEN);
    }

    /// A region allocated by the library, which may be open to direct access. It has no guards.
    public static GuardedMemory allocated(ProtectionDomain pd, int bytes, Access... rights) {
        return new GuardedMemory(pd.allocate(bytes, rights));
    }

    public MemoryRegion region() {
        return region;
    }

    public long address() {
        return region.address();
    }

    public int rkey() {
        return region.rkey();
    }

    public long length() {
        return region.length();
    }

    public byte[] bytes(long at, long length) {
        return inside.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    public void assertGuardsUntouched() {
        assertFilled(block.asSlice(0, guardBytes), GUARD, "before the region");
        assertFilled(block.asSlice(guardBytes + inside.byteSize()), GUARD, "behind the region");
    }

    /// Checks that neither the region nor the guards have changed since they were created.
    public void assertUntouched() {
        assertGuardsUntouched();
        assertUntouched(0, inside.byteSize());
    }

    public void assertUntouched(long at, long length) {
        assertFilled(inside.asSlice(at, length), UNWRITTEN, "in the region");
    }

    private static void assertFilled(MemorySegment part, byte with, String where) {
        MemorySegment expected =
                MemorySegment.ofArray(new byte[(int) part.byteSize()]).fill(with);
        assertEquals(-1, part.mismatch(expected), "first byte changed " + where);
    }
}
