package io.verbena.soft.local;

import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;

/// Memory of this process that neighbours can map.
public final class SharedRegion {
    private final SealedMemory shared;
    /// The number it is shown under; 0 while it is not. Written by the engine's owner.
    private volatile long registration;

    /// The key it is shown under.
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

    void onShown(int shownKey, long number) {
        key = shownKey;
        registration = number;
    }

    int key() {
        return key;
    }

    public long registration() {
        return registration;
    }

    /// Which slot names the region to neighbours.
    public int slot() {
        return DeviceLayout.regionSlot(key);
    }

    /// Only when no thread can be inside.
    public void close() {
        shared.close();
    }
}
