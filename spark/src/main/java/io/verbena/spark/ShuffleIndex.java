package io.verbena.spark;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/// Where the map outputs of a shuffle are, for others to read: records one after the other in a chunk, and on in the
/// next one. Guarded by its shuffle.
final class ShuffleIndex {
    private static final long LEAST_BYTES = 32 << 10;
    private static final long MOST_BYTES = 1 << 20;

    private final int shuffle;
    private final ChunkPool pool;
    private final Directory directory;

    /// Null until there is a record.
    private Chunk chunk;

    private long used;

    ShuffleIndex(int shuffle, ChunkPool pool, Directory directory) {
        this.shuffle = shuffle;
        this.pool = pool;
        this.directory = directory;
    }

    /// Adds a record. Readers check its sum, so it does not matter in which order its bytes are stored. Returns the
    /// chunk that was taken for it, which goes back at the end of the shuffle; null for none.
    Chunk add(OutputRecord output) {
        ByteBuffer bytes = output.encode();
        int needed = bytes.remaining() + OutputRecord.NEXT_BYTES;
        Chunk taken = null;
        if (chunk == null || chunk.bytes() - used < needed) {
            taken = pool.takeBeyondLimit(shuffle, Math.max(needed, Math.clamp(2 * used, LEAST_BYTES, MOST_BYTES)));
            goOnIn(taken);
        }
        put(bytes);
        return taken;
    }

    private void goOnIn(Chunk next) {
        // What an earlier use left must not be taken for records of this one.
        next.memory().asSlice(Chunk.HEADER_BYTES).fill((byte) 0);
        VarHandle.fullFence();
        if (chunk != null) {
            put(OutputRecord.next(next).encode());
        } else if (!directory.add(shuffle, next)) {
            pool.give(next);
            throw new IllegalStateException("the directory has an earlier shuffle in its place");
        }
        chunk = next;
        used = Chunk.HEADER_BYTES;
    }

    private void put(ByteBuffer bytes) {
        int length = bytes.remaining();
        VarHandle.releaseFence(); // who sees the record sees the map output
        MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, chunk.memory(), used, length);
        used += length;
    }

    /// Others find it no more.
    void remove() {
        if (chunk != null) {
            directory.remove(shuffle);
        }
    }
}
