package io.verbena.soft.mem;

import io.verbena.soft.shm.SharedRegion;
import io.verbena.soft.shm.Sharing;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory that a domain allocated: where neighbours can map it if there is such a place, else this process's own.
public final class AllocatedMemory {
    private static final long PAGE_BYTES = 4096;

    private final MemorySegment segment;
    private final SharedRegion shared;
    private final Runnable close;

    private AllocatedMemory(MemorySegment segment, SharedRegion shared, Runnable close) {
        this.segment = segment;
        this.shared = shared;
        this.close = close;
    }

    /// @param sharing may be null
    public static AllocatedMemory of(String verb, long bytes, Sharing sharing) {
        SharedRegion shared = sharing == null ? null : sharing.allocate(bytes);
        if (shared != null) {
            return new AllocatedMemory(shared.memory(), shared, shared::close);
        }
        Arena arena = Arena.ofShared();
        try {
            return new AllocatedMemory(arena.allocate(bytes, PAGE_BYTES), null, arena::close);
        } catch (OutOfMemoryError e) {
            arena.close();
            throw new RdmaException(verb, Errno.ENOMEM, "no memory; ask for less", e);
        }
    }

    public MemorySegment segment() {
        return segment;
    }

    /// What neighbours map; null when they cannot.
    SharedRegion shared() {
        return shared;
    }

    /// May be called twice.
    ///
    /// @throws IllegalStateException when another call uses the memory; it stays then
    public void free() {
        if (segment.scope().isAlive()) {
            close.run();
        }
    }
}
