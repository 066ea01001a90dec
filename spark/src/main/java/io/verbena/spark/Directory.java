package io.verbena.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// A table that other executors read to find the index of a shuffle. A slot has 32 bytes, which say where the first
/// chunk of the index is:
///
/// ```
/// shuffle + 1 (4)  slab (4)  start in the slab (8)  use of the chunk (8)  length (8)
/// ```
///
/// It may be read while it is being written: the chunk's header then does not have the use and the shuffle.
final class Directory {
    static final int SLOT_BYTES = 32;

    /// How many shuffles have room at the same time, at most.
    private static final int SLOTS = 4096;

    private final MemorySegment memory;

    /// @param node the number of this executor
    Directory(Exporter exporter, long node) {
        memory = exporter.allocate(exportName(node), (long) SLOTS * SLOT_BYTES).memory();
    }

    /// The name that others ask for. So they notice when another executor listens where the one was that they look for.
    static String exportName(long node) {
        return "directory/" + Long.toHexString(node);
    }

    /// What a slot says.
    record Slot(int slab, long start, long use, long length) {
        /// Null when the slot is not that of the shuffle, or is being cleared.
        static Slot decode(MemorySegment slot, int shuffle) {
            return slot.get(ValueLayout.JAVA_INT, 0) != shuffle + 1
                            || slot.get(ValueLayout.JAVA_LONG, 24) < Chunk.HEADER_BYTES
                    ? null
                    : new Slot(
                            slot.get(ValueLayout.JAVA_INT, 4),
                            slot.get(ValueLayout.JAVA_LONG, 8),
                            slot.get(ValueLayout.JAVA_LONG, 16),
                            slot.get(ValueLayout.JAVA_LONG, 24));
        }
    }

    /// Where the slot of a shuffle is.
    static long slotAt(int shuffle) {
        return shuffle % SLOTS * (long) SLOT_BYTES;
    }

    /// False when an earlier shuffle has the slot.
    synchronized boolean add(int shuffle, Chunk index) {
        MemorySegment slot = memory.asSlice(slotAt(shuffle), SLOT_BYTES);
        if (slot.get(ValueLayout.JAVA_INT, 0) != 0) {
            return false;
        }
        slot.set(ValueLayout.JAVA_INT, 4, index.slab().number());
        slot.set(ValueLayout.JAVA_LONG, 8, index.start());
        slot.set(ValueLayout.JAVA_LONG, 16, index.use());
        slot.set(ValueLayout.JAVA_LONG, 24, index.bytes());
        VarHandle.fullFence();
        slot.set(ValueLayout.JAVA_INT, 0, shuffle + 1);
        return true;
    }

    synchronized void remove(int shuffle) {
        MemorySegment slot = memory.asSlice(slotAt(shuffle), SLOT_BYTES);
        slot.set(ValueLayout.JAVA_INT, 0, 0);
        VarHandle.fullFence(); // nobody takes the rest for a place any more
        slot.fill((byte) 0);
    }
}
