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
import io.verbena.verbs.spi.RegionBase;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A region of the software device: a segment, its rights and its key.
public final class SoftMemoryRegion extends RegionBase<RegionDomain> implements BindableRegion {
    private final Engines engines;
    private final MemoryTable table;
    /// The region's entry in the device's table.
    private final KeySlot slot = new KeySlot(null);
    /// The memory that [ProtectionDomain#allocate] made; null for memory of the caller.
    private final AllocatedMemory allocated;

    private volatile boolean closed;

    /// @param allocated goes with the region; may be null
    public SoftMemoryRegion(
            String verb,
            RegionDomain domain,
            MemorySegment memory,
            long address,
            int access,
            AllocatedMemory allocated) {
        super(RegionDomain.class);
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
        // The keys are equal, because existing programs send the lkey as the remote key.
        int key = slot.key().value();
        register(domain, memory, address, access, key, key);
    }

    /// Neighbours may map the region from now on, if they can.
    private void show() {
        MemoryKey key = slot.key();
        if (key.shared() != null) {
            Registration<RegionDomain> shown = registration();
            engines.first()
                    .local()
                    .regions()
                    .publish(
                            key.shared(),
                            shown.lkey(),
                            shown.access(),
                            shown.address(),
                            shown.length(),
                            shown.domain().id());
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
    public boolean isClosed() {
        return closed;
    }

    /// The keys stay as they are unless the memory changes: then peers that know the old ones must not reach the new
    /// bytes. Refused, and nothing changed, while windows are bound to the region.
    @Override
    public synchronized void reregister(MemorySegment memory, ProtectionDomain domain, Set<Access> access) {
        String verb = "register memory region 0x%x again".formatted(lkey());
        requireOpen(verb);
        RegionDomain target = requireOwn(verb, domain);
        MemorySegment bytes = memory == null ? memory() : memory;
        int rights = access == null ? access() : Access.bits(access);
        RegistrationRules.require(verb, bytes, rights);
        if (memory == null && Access.ZERO_BASED.in(rights) != Access.ZERO_BASED.in(access())) {
            throw new RdmaException(verb, Errno.EINVAL, "ZERO_BASED moves all addresses; name the memory as well");
        }
        long address = memory == null ? address() : RegistrationRules.address(memory, rights);
        target.replace(
                verb, protectionDomain(), this, () -> apply(verb, target, bytes, address, rights, memory != null));
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
            protectionDomain().forget(this);
        }
        if (allocated != null) {
            freeMemory(verb, allocated::free);
        }
    }
}
