package io.verbena.soft.mem;

import io.verbena.soft.local.SharedRegion;
import io.verbena.soft.os.HostMemory;
import io.verbena.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;

/// An lkey or rkey with its meaning: which bytes it opens, to whom, with which rights. Regions and windows share this
/// class, so that copies deal with one kind of key only.
///
/// A key is immutable: a change of a region or window replaces the key in its [KeySlot]. So a thread may check and use
/// a key without a lock, and never mixes two of them.
public final class MemoryKey {
    /// Reading on behalf of this side's own requests: every region allows it, no window does.
    public static final int LOCAL_READ = 1 << 31;

    /// The slot of the region or window of this key.
    private final KeySlot owner;

    private final int value;
    /// Null when the key opens nothing.
    private final ProtectionDomain domain;
    /// The only queue pair that may use the key; null when all of the domain may.
    private final MemoryUser onlyUser;

    private final MemorySegment memory;
    /// Whether the memory is [HostMemory#ALL]. Only for shared memory, because it needs native access.
    private final boolean isOfHost;
    /// The region, if neighbours can map it; else null.
    private final SharedRegion shared;
    /// The offset in the memory of the first byte.
    private final long offset;
    /// The address of the first byte, as requests and peers use it.
    private final long address;

    private final long length;
    private final int access;

    private MemoryKey(
            KeySlot owner,
            int value,
            ProtectionDomain domain,
            MemoryUser onlyUser,
            MemorySegment memory,
            boolean isOfHost,
            SharedRegion shared,
            long offset,
            long address,
            long length,
            int access) {
        this.owner = owner;
        this.value = value;
        this.domain = domain;
        this.onlyUser = onlyUser;
        this.memory = memory;
        this.isOfHost = isOfHost;
        this.shared = shared;
        this.offset = offset;
        this.address = address;
        this.length = length;
        this.access = access;
    }

    /// A key that is in use but opens nothing.
    static MemoryKey ofNothing(KeySlot owner, int value) {
        return new MemoryKey(owner, value, null, null, null, false, null, 0, 0, 0, 0);
    }

    /// A key that opens a region.
    static MemoryKey ofRegion(
            KeySlot owner,
            int value,
            ProtectionDomain domain,
            MemorySegment memory,
            SharedRegion shared,
            long address,
            int access) {
        // Shared memory is unmapped only when no thread can access it, so no scope check is needed for each message.
        boolean isOfHost = shared != null;
        MemorySegment bytes = isOfHost ? HostMemory.ALL : memory;
        long offset = isOfHost ? memory.address() : 0;
        long length = memory.byteSize();
        int rights = access | LOCAL_READ;
        return new MemoryKey(owner, value, domain, null, bytes, isOfHost, shared, offset, address, length, rights);
    }

    /// The key of a window that opens `bytes` bytes of this region from its address `from` on.
    ///
    /// @param user the one that may use it; null for all of the domain
    MemoryKey part(
            KeySlot window, int windowValue, MemoryUser user, long from, long bytes, long firstAddress, int rights) {
        return new MemoryKey(
                window, windowValue, domain, user, memory, isOfHost, null, offsetOf(from), firstAddress, bytes, rights);
    }

    /// Whether `[at, at + bytes)` may be accessed by `user` with all of `rights`.
    public AccessCheck check(MemoryUser user, long at, long bytes, int rights) {
        if (user.protectionDomain() != domain) {
            return domain == null ? AccessCheck.BAD_KEY : AccessCheck.WRONG_DOMAIN;
        }
        // Differences, not sums: addresses of peers may be anything, and sums could overflow.
        long from = at - address;
        if (from < 0 || bytes < 0 || from > length - bytes) {
            return AccessCheck.OUT_OF_RANGE;
        }
        if (onlyUser != null && onlyUser != user) {
            return AccessCheck.WRONG_QUEUE_PAIR;
        }
        return (access & rights) == rights ? AccessCheck.OK : AccessCheck.NO_RIGHT;
    }

    /// The bytes behind the key; those of a checked address start at [#offsetOf].
    public MemorySegment memory() {
        return memory;
    }

    /// Whether that is [HostMemory#ALL].
    boolean isOfHost() {
        return isOfHost;
    }

    public long offsetOf(long at) {
        return offset + (at - address);
    }

    public SharedRegion shared() {
        return shared;
    }

    /// Address of the first byte.
    public long address() {
        return address;
    }

    /// The number of bytes.
    public long length() {
        return length;
    }

    public int value() {
        return value;
    }

    KeySlot owner() {
        return owner;
    }

    /// The window this key is of; null for a region's.
    BindableWindow window() {
        return owner.window();
    }

    ProtectionDomain domain() {
        return domain;
    }

    MemoryUser onlyUser() {
        return onlyUser;
    }

    int access() {
        return access;
    }
}
