package io.verbena.soft.mem;

import io.verbena.verbs.MemoryRegion;

/// A region of a software device, as those see it who bind windows to it.
public interface BindableRegion extends MemoryRegion {
    boolean isClosed();
}
