package io.verbena.soft.mem;

import io.verbena.soft.local.SharedRegion;
import io.verbena.soft.os.HostMemory;
import io.verbena.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;

/// What one key opens: which bytes, to whom, with which rights. Regions and windows share this one class, so that
/// copying to and from packets knows one kind of key only.
///
/// A key never changes: what opens a region or a window in another way is another key in the same [KeySlot]. So a
/// thread that found a key may check it and use it without a lock, and can never mix two of them up.
public final class MemoryKey {
    /// Reading on behalf of this side's own requests: every region allows it, no window does.
    public static final int LOCAL_READ = 1 << 31;

    /// The region or window this key is of.
    private final KeySlot owner;

    private final int value;
    /// Null when nothing is open.
    private final ProtectionDomain domain;
    /// The one queue pair that may use it; null when all of the domain may.
    private final MemoryUser onlyUser;

    private final MemorySegment memory;
    /// Of a region that neighbours can map; else null.
    private final SharedRegion shared;
    /// Where in the memory the first byte lies.
    private final long offset;
    /// Address of the first byte as requests and peers name it.
    private final long address;

    private final long length;
    private final int access;

    private MemoryKey(
            KeySlot owner,
            int value,
            ProtectionDomain domain,
            MemoryUser onlyUser,
            MemorySegment memory,
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
        this.shared = shared;
        this.offset = offset;
        this.address = address;
        this.length = length;
        this.access = access;
    }

    /// A key that is taken and opens nothing.
    static MemoryKey ofNothing(KeySlot owner, int value) {
        return new MemoryKey(owner, value, null, null, null, null, 0, 0, 0, 0);
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
        // Shared memory goes when no thread can be inside, so it needs no look at its scope for each message.
        MemorySegment bytes = shared == null ? memory : HostMemory.ALL;
        long offset = shared == null ? 0 : memory.address();
        int rights = access | LOCAL_READ;
        return new MemoryKey(owner, value, domain, null, bytes, shared, offset, address, memory.byteSize(), rights);
    }

    /// A key of a window that opens `bytes` bytes of this region from its address `from` on.
    ///
    /// @param user the one that may use it; null for all of the domain
    MemoryKey part(
            KeySlot window, int windowValue, MemoryUser user, long from, long bytes, long firstAddress, int rights) {
        return new MemoryKey(
                window, windowValue, domain, user, memory, null, offsetOf(from), firstAddress, bytes, rights);
    }

    /// Whether `[at, at + bytes)` may be accessed by `user` with all of `rights`.
    public AccessCheck check(MemoryUser user, long at, long bytes, int rights) {
        if (user.protectionDomain() != domain) {
            return domain == null ? AccessCheck.BAD_KEY : AccessCheck.WRONG_DOMAIN;
        }
        // Differences, not sums: addresses of peers may be anything, and sums would wrap.
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

    public long offsetOf(long at) {
        return offset + (at - address);
    }

    public SharedRegion shared() {
        return shared;
    }

    /// Address of the first byte that is open.
    public long address() {
        return address;
    }

    /// How many bytes are open.
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
