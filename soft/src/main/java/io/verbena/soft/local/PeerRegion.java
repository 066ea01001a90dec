package io.verbena.soft.local;

import static io.verbena.soft.local.DeviceLayout.LONG;

import io.verbena.soft.os.HostMemory;
import io.verbena.soft.os.SealedMemory;
import java.lang.foreign.MemorySegment;

/// A region of a neighbour that this process has mapped.
public final class PeerRegion {
    private final long slotAddress;
    private final SealedMemory shared;
    private final long base;
    final long registration;
    final int key;
    private final int access;
    private final int domain;
    private final long address;
    private final long length;
    private volatile boolean forgotten;

    PeerRegion(
            MemorySegment device,
            long slotAt,
            SealedMemory shared,
            long registration,
            int key,
            int access,
            int domain,
            long address,
            long length) {
        this.slotAddress = device.address() + slotAt;
        this.shared = shared;
        this.base = shared.address();
        this.registration = registration;
        this.key = key;
        this.access = access;
        this.domain = domain;
        this.address = address;
        this.length = length;
    }

    /// This process is about to unmap the region, even if the neighbour keeps it open.
    void forget() {
        forgotten = true;
    }

    public int key() {
        return key;
    }

    /// Whether the neighbour has neither closed nor changed the region.
    public boolean isOpen() {
        return !forgotten && (long) LONG.getAcquire(HostMemory.ALL, slotAddress) == registration;
    }

    /// Whether `[at, at + bytes)` may be accessed with all of `rights` by a queue pair of that domain.
    public boolean allows(int ofDomain, long at, long bytes, int rights) {
        long from = at - address;
        return ofDomain == domain && from >= 0 && bytes >= 0 && from <= length - bytes && (access & rights) == rights;
    }

    public boolean contains(long offset, long bytes) {
        return offset >= 0 && bytes >= 0 && offset <= length - bytes;
    }

    /// The position in [HostMemory#ALL] of the byte with that address in the neighbour's process.
    public long at(long named) {
        return base + (named - address);
    }

    /// The position in [HostMemory#ALL] of the byte at that offset of the region.
    public long atOffset(long offset) {
        return base + offset;
    }

    void close() {
        shared.close();
    }
}
