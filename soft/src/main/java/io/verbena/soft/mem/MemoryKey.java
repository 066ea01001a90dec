package io.verbena.soft.mem;

import io.verbena.soft.SoftProtectionDomain;
import io.verbena.soft.shm.SharedRegion;
import java.lang.foreign.MemorySegment;

/// What one key opens: which bytes, to whom, with which rights. Regions and windows share this one class, so that
/// copying to and from packets knows one kind of key only. Owned by the engine.
public final class MemoryKey {
    /// Reading on behalf of this side's own requests: every region allows it, no window does.
    public static final int LOCAL_READ = 1 << 31;

    /// The window this key is of; null for a region's.
    private final SoftMemoryWindow window;
    private int value;
    /// Null while nothing is open.
    private SoftProtectionDomain domain;
    /// The one queue pair that may use it; null when all of the domain may.
    private MemoryUser onlyUser;

    private MemorySegment memory;
    /// Of a region that neighbours can map; else null.
    private SharedRegion shared;
    /// Where in the memory the first byte lies.
    private long offset;
    /// Address of the first byte as requests and peers name it.
    private long address;

    private long length;
    private int access;
    /// Of a window: what it is bound to.
    private MemoryKey region;
    /// Of a region: how many windows are bound to it.
    private int windows;

    MemoryKey(SoftMemoryWindow window) {
        this.window = window;
    }

    /// Opens a region, or opens it in another way than before.
    void open(SoftProtectionDomain to, MemorySegment bytes, SharedRegion sharedAs, long firstAddress, int rights) {
        shared = sharedAs;
        domain = to;
        memory = bytes;
        offset = 0;
        address = firstAddress;
        length = bytes.byteSize();
        access = rights | LOCAL_READ;
    }

    /// Opens a part of a region through this window's key. What was open through it before is not any more.
    void open(MemoryKey part, MemoryUser user, long from, long bytes, long firstAddress, int rights) {
        revoke();
        region = part;
        part.windows++;
        domain = part.domain;
        onlyUser = user;
        memory = part.memory;
        offset = part.offsetOf(from);
        address = firstAddress;
        length = bytes;
        access = rights;
    }

    /// Nothing is open from now on; the key itself stays taken.
    void revoke() {
        domain = null;
        onlyUser = null;
        memory = null;
        shared = null;
        if (region != null) {
            region.windows--;
            region = null;
        }
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

    int value() {
        return value;
    }

    void value(int key) {
        value = key;
    }

    SoftMemoryWindow window() {
        return window;
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    MemoryUser onlyUser() {
        return onlyUser;
    }

    int access() {
        return access;
    }

    boolean hasWindows() {
        return windows > 0;
    }
}
