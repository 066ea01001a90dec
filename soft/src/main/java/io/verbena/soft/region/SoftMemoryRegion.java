package io.verbena.soft.region;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.SharedRegion;
import io.verbena.soft.mem.BindableRegion;
import io.verbena.soft.mem.KeySlot;
import io.verbena.soft.mem.MemoryKey;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A region of the software device: a segment, its rights and its key.
public final class SoftMemoryRegion implements BindableRegion {
    /// What registering it again may change, as programs see it.
    private record Registration(
            RegionDomain domain, MemorySegment memory, long address, long length, int access, int key) {
        static Registration of(RegionDomain domain, MemorySegment memory, long address, int access, int key) {
            return new Registration(domain, memory, address, memory.byteSize(), access, key);
        }
    }

    private final Engine engine;
    /// What the device's table knows of the region.
    private final KeySlot slot = new KeySlot(null);
    /// What [ProtectionDomain#allocate] made; null for the caller's own memory.
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
        this.engine = domain.context().engine();
        this.allocated = allocated;
        if (!engine.memory().add(slot)) {
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
        if (!engine.memory().open(slot, domain, memory, shared, address, access)) {
            throw hasWindows(verb);
        }
        now = Registration.of(domain, memory, address, access, slot.key().value());
    }

    /// Returns when no copy is under way that began with a key as it was before it was removed or changed; copies that
    /// begin later find what it is now. The engine copies only while somebody owns it, so whoever owned it once since
    /// the change has waited long enough; roles of local connections copy under their locks. What neighbours copy by
    /// themselves is for [#hide].
    static void awaitCopies(Engine engine) {
        engine.execute(() -> {});
        if (engine.local() != null) {
            engine.local().awaitCopies();
        }
    }

    /// Neighbours may map the region from now on, if they can.
    private void show() {
        MemoryKey key = slot.key();
        if (key.shared() != null) {
            Registration shown = now;
            engine.execute(() -> engine.local()
                    .show(key.shared(), shown.key, shown.access, shown.address, shown.length, shown.domain.id()));
        }
    }

    /// Neighbours that can map the region neither use it nor begin to, once this returns.
    private void hide() {
        if (allocated != null && allocated.shared() != null) {
            engine.execute(() -> engine.local().hide(allocated.shared()));
            engine.local().awaitNeighbours();
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

    /// Equal to the rkey where there is one: programs in the wild send the lkey as the remote key.
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
        if (engine.memory().hasWindows(slot)) {
            throw hasWindows(verb);
        }
        hide();
        if (renew && !engine.memory().renew(slot)) {
            throw hasWindows(verb);
        }
        open(verb, domain, memory, address, access);
        awaitCopies(engine);
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
            if (!engine.memory().remove(slot)) {
                throw hasWindows(verb);
            }
            awaitCopies(engine);
            hide();
            closed = true;
            now.domain.forget(this);
        }
        freeMemory(verb);
    }

    /// Apart from the end of the region: the JDK refuses while another thread reads a file into the memory, say. Then
    /// closing once more frees it.
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
