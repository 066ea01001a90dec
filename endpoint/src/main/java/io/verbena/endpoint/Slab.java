package io.verbena.endpoint;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Registered memory in slots of one size, which are taken and given back. It grows by chunks of slots and does not
/// shrink. Safe from any thread.
final class Slab implements AutoCloseable {
    static final int NONE = -1;

    private static final int CHUNK_SHIFT = 6;
    private static final int CHUNK_SLOTS = 1 << CHUNK_SHIFT;

    private final ProtectionDomain pd;
    private final int slotBytes;
    private final int mostSlots;
    private volatile MemoryRegion[] chunks = {};

    /// Slots that are not taken; guarded by this.
    private int[] free = {};

    private int freeCount;

    Slab(ProtectionDomain pd, int slotBytes, int mostSlots) {
        this.pd = pd;
        this.slotBytes = slotBytes;
        this.mostSlots = mostSlots;
    }

    /// A slot that is the caller's; [#NONE] when all are taken.
    synchronized int take() {
        if (freeCount == 0 && !grow()) {
            return NONE;
        }
        return free[--freeCount];
    }

    synchronized void give(int slot) {
        free[freeCount++] = slot;
    }

    private boolean grow() {
        int slots = chunks.length * CHUNK_SLOTS;
        if (slots >= mostSlots) {
            return false;
        }
        MemoryRegion[] more = Arrays.copyOf(chunks, chunks.length + 1);
        more[chunks.length] = pd.allocate((long) CHUNK_SLOTS * slotBytes, Access.LOCAL_WRITE);
        chunks = more;
        free = Arrays.copyOf(free, slots + CHUNK_SLOTS);
        for (int slot = slots + CHUNK_SLOTS - 1; slot >= slots; slot--) {
            free[freeCount++] = slot;
        }
        return true;
    }

    int slotBytes() {
        return slotBytes;
    }

    MemoryRegion region(int slot) {
        return chunks[slot >> CHUNK_SHIFT];
    }

    long offset(int slot) {
        return (long) (slot & CHUNK_SLOTS - 1) * slotBytes;
    }

    MemorySegment segment(int slot) {
        return region(slot).memory().asSlice(offset(slot), slotBytes);
    }

    @Override
    public void close() {
        for (MemoryRegion chunk : chunks) {
            chunk.close();
        }
    }
}
