package io.verbena.spark;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Memory that was allocated and exported at once, in which chunks are. Others ask for its key once. Guarded by its
/// pool.
final class Slab {
    private final int number;
    private final Exporter.Exported exported;
    private final List<Chunk> idle = new ArrayList<>();

    /// Where the chunks end that were made so far.
    private long used;

    /// Chunks that shuffles have.
    private int taken;

    Slab(int number, Exporter.Exported exported) {
        this.number = number;
        this.exported = exported;
    }

    /// The name that others ask for.
    static String exportName(int number) {
        return "slab/" + number;
    }

    int number() {
        return number;
    }

    MemorySegment memory() {
        return exported.memory();
    }

    long bytes() {
        return exported.memory().byteSize();
    }

    /// Null when there is no room.
    Chunk take(long bytes) {
        Chunk best = null;
        for (Chunk chunk : idle) {
            if (chunk.bytes() >= bytes
                    && chunk.bytes() <= 2 * bytes
                    && (best == null || chunk.bytes() < best.bytes())) {
                best = chunk;
            }
        }
        if (best != null) {
            idle.remove(best);
        } else if (bytes() - used >= bytes) {
            best = new Chunk(this, used, bytes);
            used += bytes;
        } else {
            return null;
        }
        taken++;
        return best;
    }

    /// The chunk is not used any more. When none is, others may be made in another way.
    void give(Chunk chunk) {
        taken--;
        idle.add(chunk);
        if (taken == 0) {
            idle.clear();
            used = 0;
        }
    }

    boolean isIdle() {
        return taken == 0;
    }

    void close() {
        exported.close();
    }
}
