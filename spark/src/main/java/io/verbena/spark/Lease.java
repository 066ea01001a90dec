package io.verbena.spark;

import io.verbena.verbs.MemoryRegion;
import java.util.concurrent.atomic.AtomicInteger;

/// Registered memory that several blocks are read into; it goes back when none of them is needed any more.
final class Lease {
    private final FetchMemory memory;
    private final MemoryRegion region;
    private final AtomicInteger users;

    Lease(FetchMemory memory, MemoryRegion region, int users) {
        this.memory = memory;
        this.region = region;
        this.users = new AtomicInteger(users);
    }

    MemoryRegion region() {
        return region;
    }

    /// Another user. Of one that has not released it yet.
    void retain() {
        users.incrementAndGet();
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            memory.give(region);
        }
    }
}
