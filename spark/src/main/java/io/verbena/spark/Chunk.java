package io.verbena.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// A piece of memory that other executors read. It belongs to one shuffle at a time, and to others later. It begins
/// with a header, which has a random number for each use. Others read the header after what they wanted, and see by it
/// whether the memory was still that of their shuffle.
///
/// ```
/// use (8)  shuffle (4)  zeros (52)  bytes of the shuffle
/// ```
final class Chunk {
    static final int HEADER_BYTES = 64;
    static final int USE_AT = 0;
    static final int SHUFFLE_AT = 8;

    /// What others read of the header.
    static final int CHECKED_BYTES = 16;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Slab slab;
    private final long start;
    private final MemorySegment memory;
    private long use;

    Chunk(Slab slab, long start, long bytes) {
        this.slab = slab;
        this.start = start;
        this.memory = slab.memory().asSlice(start, bytes);
    }

    Slab slab() {
        return slab;
    }

    /// Where it is in the slab.
    long start() {
        return start;
    }

    /// Never 0.
    long use() {
        return use;
    }

    /// With the header.
    MemorySegment memory() {
        return memory;
    }

    long bytes() {
        return memory.byteSize();
    }

    /// A shuffle has it from now on. What is written later is not taken for that of an earlier use.
    void begin(int shuffle, long newUse) {
        end(newUse);
        memory.set(ValueLayout.JAVA_INT, SHUFFLE_AT, shuffle);
    }

    /// The use is over.
    void end(long newUse) {
        use = newUse;
        LONG.setVolatile(memory, (long) USE_AT, newUse);
        VarHandle.fullFence(); // Pairs with the fenced READ of ChunkRead.start and PeerIndex.readChunk
    }
}
