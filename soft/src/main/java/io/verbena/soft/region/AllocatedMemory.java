package io.verbena.soft.region;

import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.local.SharedRegion;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory that a domain allocated: memory that neighbours can map, if possible, else private memory of this process.
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

    /// @param local may be null
    @SuppressWarnings("restricted")
    public static AllocatedMemory of(String verb, long bytes, LocalDevice local) {
        SharedRegion shared = local == null ? null : local.allocate(bytes);
        Arena arena = Arena.ofShared();
        if (shared != null) {
            // The program may use the memory after its end, which must throw and not crash.
            MemorySegment segment = shared.memory().reinterpret(arena, unmapped -> shared.close());
            return new AllocatedMemory(segment, shared, arena::close);
        }
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

    /// The memory that neighbours map; null when they cannot.
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
