package io.verbena.soft.shm;

import java.lang.foreign.MemorySegment;

/// Memory of this process that neighbours can map.
public final class SharedRegion implements AutoCloseable {
    final long id;
    private final SharedFile file;
    /// The key and the number it is shown under; 0 while it is not. Owned by the engine.
    int key;

    long registration;

    SharedRegion(long id, SharedFile file) {
        this.id = id;
        this.file = file;
    }

    public MemorySegment memory() {
        return file.memory();
    }

    public long registration() {
        return registration;
    }

    @Override
    public void close() {
        file.close();
    }
}
