package io.verbena.soft.local;

import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;

/// Memory of this process that neighbours can map.
public final class SharedRegion {
    private final SealedMemory shared;
    /// The number of the published registration; 0 while there is none. Written by [SharedRegions].
    private volatile long registration;

    /// The key of the published registration.
    private int key;

    SharedRegion(SealedMemory shared) {
        this.shared = shared;
    }

    /// For the life of the region only; see [SealedMemory].
    public MemorySegment memory() {
        return shared.memory();
    }

    SealedMemory shared() {
        return shared;
    }

    void onPublished(int shownKey, long number) {
        key = shownKey;
        registration = number;
    }

    int key() {
        return key;
    }

    public long registration() {
        return registration;
    }

    /// The slot of the region in the device page.
    public int slot() {
        return DeviceLayout.regionSlot(key);
    }

    /// Only when no thread can access the memory.
    public void close() {
        shared.close();
    }
}
