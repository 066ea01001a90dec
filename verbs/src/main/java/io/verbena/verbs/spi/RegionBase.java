package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;

/// What the memory regions of all providers have in common: the properties that programs see, which change all at once
/// when the memory is registered again.
///
/// @param <D> the provider's protection domains
public abstract class RegionBase<D extends ProtectionDomain> implements MemoryRegion {
    /// The properties of a region. `address` is its first address as peers name it, `access` its rights as bits, and
    /// `rkey` a key that peers get only when the rights allow them something.
    protected record Registration<D>(
            D domain, MemorySegment memory, long address, long length, int access, int lkey, int rkey) {}

    private final Class<D> domainType;
    private volatile Registration<D> now;

    /// Makes a region without properties; [#register] gives it some.
    protected RegionBase(Class<D> domainType) {
        this.domainType = domainType;
    }

    /// The region has these properties from now on.
    protected final void register(D domain, MemorySegment memory, long address, int access, int lkey, int rkey) {
        now = new Registration<>(domain, memory, address, memory.byteSize(), access, lkey, rkey);
    }

    /// All properties as they are now.
    protected final Registration<D> registration() {
        return now;
    }

    @Override
    public final D protectionDomain() {
        return now.domain;
    }

    @Override
    public final MemorySegment memory() {
        return now.memory;
    }

    @Override
    public final long address() {
        return now.address;
    }

    @Override
    public final long length() {
        return now.length;
    }

    @Override
    public final int lkey() {
        return now.lkey;
    }

    /// 0 where the rights allow peers nothing, although drivers give every region a remote key.
    @Override
    public final int rkey() {
        Registration<D> current = now;
        return Access.allowsRemote(current.access) ? current.rkey : 0;
    }

    @Override
    public final int access() {
        return now.access;
    }

    /// The domain to register the memory again in: the present one for null; EINVAL for one of another context, whose
    /// number a device would take for one of this context's.
    protected final D requireOwn(String verb, ProtectionDomain domain) {
        D present = now.domain;
        if (domain == null) {
            return present;
        }
        if (domainType.isInstance(domain) && domain.context() == present.context()) {
            return domainType.cast(domain);
        }
        throw new RdmaException(
                verb, Errno.EINVAL, "the protection domain is of another context; use one of the region's own");
    }

    /// Frees memory of a closed region, by `free`. Separate from closing the region, because the JDK refuses to free
    /// memory that another thread is using, for example to read a file. Closing again then frees it.
    protected static void freeMemory(String verb, Runnable free) {
        try {
            free.run();
        } catch (IllegalStateException e) {
            throw new RdmaException(
                    verb, Errno.EBUSY, "another call uses its memory; close it again when that is over", e);
        }
    }

    @Override
    public final String toString() {
        return "memory region 0x%x (%d bytes)".formatted(lkey(), length());
    }
}
