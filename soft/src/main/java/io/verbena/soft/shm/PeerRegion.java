package io.verbena.soft.shm;

import static io.verbena.soft.shm.DeviceLayout.LONG;

import java.lang.foreign.MemorySegment;

/// A region of a neighbour, mapped into this process as well.
public final class PeerRegion {
    private final MemorySegment device;
    private final long slotAt;
    private final SharedFile file;
    final long registration;
    final int key;
    private final int access;
    private final int domain;
    private final long address;
    private final long length;

    PeerRegion(
            MemorySegment device,
            long slotAt,
            SharedFile file,
            long registration,
            int key,
            int access,
            int domain,
            long address,
            long length) {
        this.device = device;
        this.slotAt = slotAt;
        this.file = file;
        this.registration = registration;
        this.key = key;
        this.access = access;
        this.domain = domain;
        this.address = address;
        this.length = length;
    }

    /// Whether the neighbour has not closed or changed it since.
    public boolean isOpen() {
        return (long) LONG.getVolatile(device, slotAt) == registration;
    }

    /// Whether `[at, at + bytes)` may be accessed with all of `rights` by a queue pair of that domain.
    public boolean allows(int ofDomain, long at, long bytes, int rights) {
        long from = at - address;
        return ofDomain == domain && from >= 0 && bytes >= 0 && from <= length - bytes && (access & rights) == rights;
    }

    public boolean contains(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && offset <= length - bytes;
    }

    public MemorySegment memory() {
        return file.memory();
    }

    public long offsetOf(long at) {
        return at - address;
    }

    void close() {
        file.close();
    }
}
