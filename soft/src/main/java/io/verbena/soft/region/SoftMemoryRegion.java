package io.verbena.soft.region;

import io.verbena.soft.engine.Engines;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.SharedRegion;
import io.verbena.soft.mem.BindableRegion;
import io.verbena.soft.mem.KeySlot;
import io.verbena.soft.mem.MemoryKey;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A region of the software device: a segment, its rights and its key.
public final class SoftMemoryRegion implements BindableRegion {
    /// The properties that registering the memory again may change, as programs see them.
    private record Registration(
            RegionDomain domain, MemorySegment memory, long address, long length, int access, int key) {
        static Registration of(RegionDomain domain, MemorySegment memory, long address, int access, int key) {
            return new Registration(domain, memory, address, memory.byteSize(), access, key);
        }
    }

    private final Engines engines;
    private final MemoryTable table;
    /// The region's entry in the device's table.
    private final KeySlot slot = new KeySlot(null);
    /// The memory that [ProtectionDomain#allocate] made; null for memory of the caller.
    private final AllocatedMemory allocated;

    private volatile Registration now;
    private volatile boolean closed;

    /// @param allocated goes with the region; may be null
    public SoftMemoryRegion(
            String verb,
            RegionDomain domain,
            MemorySegment memory,
            long address,
            int access,
            AllocatedMemory allocated) {
        this.engines = domain.context().engines();
        this.table = engines.first().memory();
        this.allocated = allocated;
        if (!table.add(slot)) {
            throw new RdmaException(
                    verb,
                    Errno.ENOMEM,
                    "the device has " + SoftLimits.MAX_MEMORY_REGIONS
                            + " memory regions already, its limit; close some");
        }
        open(verb, domain, memory, address, access);
        show();
    }

    private void open(String verb, RegionDomain domain, MemorySegment memory, long address, int access) {
        SharedRegion shared = allocated != null && memory == allocated.segment() ? allocated.shared() : null;
        if (!table.open(slot, domain, memory, shared, address, access)) {
            throw hasWindows(verb);
        }
        now = Registration.of(domain, memory, address, access, slot.key().value());
    }

    /// Neighbours may map the region from now on, if they can.
    private void show() {
        MemoryKey key = slot.key();
        if (key.shared() != null) {
            Registration shown = now;
            engines.first()
                    .local()
                    .regions()
                    .publish(key.shared(), shown.key, shown.access, shown.address, shown.length, shown.domain.id());
        }
    }

    /// Once this returns, no neighbour that can map the region uses it or begins to.
    private void withdrawFromNeighbours() {
        if (allocated != null && allocated.shared() != null) {
            engines.first().local().regions().withdraw(allocated.shared());
            engines.awaitNeighbours();
        }
    }

    @Override
    public RegionDomain protectionDomain() {
        return now.domain;
    }

    @Override
    public MemorySegment memory() {
        return now.memory;
    }

    @Override
    public long address() {
        return now.address;
    }

    @Override
    public long length() {
        return now.length;
    }

    /// Equal to the rkey if there is one, because existing programs send the lkey as the remote key.
    @Override
    public int lkey() {
        return now.key;
    }

    @Override
    public int rkey() {
        Registration current = now;
        return Access.allowsRemote(current.access) ? current.key : 0;
    }

    @Override
    public int access() {
        return now.access;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /// The keys stay as they are unless the memory changes: then peers that know the old ones must not reach the new
    /// bytes. Refused, and nothing changed, while windows are bound to the region.
    @Override
    public synchronized void reregister(MemorySegment memory, ProtectionDomain domain, Set<Access> access) {
        String verb = "register memory region 0x%x again".formatted(lkey());
        requireOpen(verb);
        Registration before = now;
        RegionDomain target = domain == null ? before.domain : requireOwn(verb, domain);
        MemorySegment bytes = memory == null ? before.memory : memory;
        int rights = access == null ? before.access : Access.bits(access);
        RegistrationRules.require(verb, bytes, rights);
        if (memory == null && Access.ZERO_BASED.in(rights) != Access.ZERO_BASED.in(before.access)) {
            throw new RdmaException(verb, Errno.EINVAL, "ZERO_BASED moves all addresses; name the memory as well");
        }
        long address = memory == null ? before.address : RegistrationRules.address(memory, rights);
        target.replace(verb, before.domain, this, () -> apply(verb, target, bytes, address, rights, memory != null));
    }

    private void apply(
            String verb, RegionDomain domain, MemorySegment memory, long address, int access, boolean renew) {
        if (table.hasWindows(slot)) {
            throw hasWindows(verb);
        }
        withdrawFromNeighbours();
        if (renew && !table.renew(slot)) {
            throw hasWindows(verb);
        }
        open(verb, domain, memory, address, access);
        engines.awaitCopies();
        show();
    }

    private RegionDomain requireOwn(String verb, ProtectionDomain domain) {
        if (domain instanceof RegionDomain own && own.context() == now.domain.context()) {
            return own;
        }
        throw new RdmaException(
                verb, Errno.EINVAL, "the protection domain is of another context; use one of the region's own");
    }

    private void requireOpen(String verb) {
        if (closed) {
            throw new RdmaException(verb, Errno.EBADF, "the memory region is closed");
        }
    }

    private static RdmaException hasWindows(String verb) {
        return new RdmaException(
                verb, Errno.EBUSY, "memory windows are bound to it; close them, or bind them to nothing, first");
    }

    @Override
    public synchronized void close() {
        String verb = "close memory region 0x%x".formatted(lkey());
        if (!closed) {
            // Once the key is gone, copies are over and neighbours are out, the memory may go.
            if (!table.remove(slot)) {
                throw hasWindows(verb);
            }
            engines.awaitCopies();
            withdrawFromNeighbours();
            closed = true;
            now.domain.forget(this);
        }
        freeMemory(verb);
    }

    /// Separate from closing the region, because the JDK refuses to free memory that another thread is using, for
    /// example to read a file. Closing again then frees it.
    private void freeMemory(String verb) {
        if (allocated == null) {
            return;
        }
        try {
            allocated.free();
        } catch (IllegalStateException e) {
            throw new RdmaException(
                    verb, Errno.EBUSY, "another call uses its memory; close it again when that is over", e);
        }
    }

    @Override
    public String toString() {
        return "memory region 0x%x (%d bytes)".formatted(lkey(), length());
    }
}
