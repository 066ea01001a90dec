package io.verbena.soft.mem;

import io.verbena.soft.SoftProtectionDomain;
import io.verbena.soft.engine.Engine;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A region of the software device: a segment, its rights and its key.
public final class SoftMemoryRegion implements MemoryRegion {
    private final SoftProtectionDomain domain;
    private final MemorySegment memory;
    private final long address;
    private final long length;
    private final int access;
    private final int key;
    /// Of memory that [SoftProtectionDomain#allocate] made; null for the caller's own.
    private final Arena arena;

    private boolean closed;

    public SoftMemoryRegion(SoftProtectionDomain domain, MemorySegment memory, int access, Arena arena) {
        this.domain = domain;
        this.memory = memory;
        this.address = memory.address();
        this.length = memory.byteSize();
        this.access = access;
        this.arena = arena;
        this.key = engine().call(() -> engine().memory().add(this));
    }

    private Engine engine() {
        return domain.context().engine();
    }

    AccessCheck check(MemoryUser user, long at, long bytes, int rights) {
        if (user.protectionDomain() != domain) {
            return AccessCheck.WRONG_DOMAIN;
        }
        long offset = at - address;
        if (offset < 0 || bytes < 0 || offset > length - bytes) {
            return AccessCheck.OUT_OF_RANGE;
        }
        return (access & rights) == rights ? AccessCheck.OK : AccessCheck.NO_RIGHT;
    }

    @Override
    public SoftProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return length;
    }

    /// Equal to the rkey where there is one: programs in the wild send the lkey as the remote key.
    @Override
    public int lkey() {
        return key;
    }

    @Override
    public int rkey() {
        return Access.allowsRemote(access) ? key : 0;
    }

    @Override
    public int access() {
        return access;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        // Once the engine has dropped the key no copy can be under way, so the memory may go.
        engine().execute(() -> engine().memory().remove(this));
        domain.forget(this);
        if (arena != null) {
            arena.close();
        }
    }

    @Override
    public String toString() {
        return "memory region 0x%x (%d bytes)".formatted(key, length);
    }
}
