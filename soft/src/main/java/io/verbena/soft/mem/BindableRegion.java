package io.verbena.soft.mem;

import io.verbena.verbs.MemoryRegion;

/// A region of a software device to which windows can be bound.
public interface BindableRegion extends MemoryRegion {
    boolean isClosed();
}
