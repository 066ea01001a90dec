package io.verbena.rdmacore.mem;

import io.verbena.rdmacore.Lifetime;
import io.verbena.rdmacore.NativeProtectionDomain;
import io.verbena.rdmacore.UseCount;
import io.verbena.rdmacore.layout.Mr;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.spi.MemoryCheck;
import io.verbena.verbs.spi.RegionBase;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Memory registered with a native device.
public final class NativeMemoryRegion extends RegionBase<NativeProtectionDomain> {
    private static final int CHANGE_TRANSLATION = 1;
    private static final int CHANGE_PD = 2;
    private static final int CHANGE_ACCESS = 4;
    private static final int FLUSH_RIGHTS = Access.bits(Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);

    private final long address;
    private final Lifetime lifetime = new Lifetime("the memory region");
    private final UseCount posts = new UseCount();
    /// Of memory that [#allocate] made; null for the caller's own.
    private final Arena arena;

    /// @param address the `struct ibv_mr`
    public NativeMemoryRegion(
            NativeProtectionDomain domain, long address, MemorySegment memory, long iova, int access, Arena arena) {
        super(NativeProtectionDomain.class);
        this.address = address;
        this.arena = arena;
        register(domain, memory, iova, access, Mr.LKEY.get(address), Mr.RKEY.get(address));
    }

    /// Page aligned memory of the region's own.
    public static NativeMemoryRegion allocate(NativeProtectionDomain domain, long bytes, Access... access) {
        String verb = "allocate " + bytes + " bytes";
        int rights = Access.bits(access);
        MemoryCheck.requireRights(verb, rights);
        MemoryCheck.requireBytes(verb, bytes);
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = arena.allocate(bytes, Libc.pageSize());
            return register(verb, domain, memory, iova(verb, memory, rights), rights, arena);
        } catch (OutOfMemoryError e) {
            arena.close();
            throw new RdmaException(verb, Errno.ENOMEM, "no memory; ask for less", e);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    public static NativeMemoryRegion register(NativeProtectionDomain domain, MemorySegment memory, Access... access) {
        String verb = "register " + memory.byteSize() + " bytes";
        int rights = Access.bits(access);
        MemoryCheck.requireRights(verb, rights);
        MemoryCheck.requireMemory(verb, memory, rights);
        return register(verb, domain, memory, iova(verb, memory, rights), rights, null);
    }

    public static NativeMemoryRegion register(
            NativeProtectionDomain domain, MemorySegment memory, long iova, Access... access) {
        String verb = "register %d bytes at iova 0x%x".formatted(memory.byteSize(), iova);
        int rights = Access.bits(access);
        MemoryCheck.requireRights(verb, rights);
        MemoryCheck.requireMemory(verb, memory, rights);
        requireSamePageOffset(verb, memory, iova);
        return register(verb, domain, memory, iova, rights, null);
    }

    private static long iova(String verb, MemorySegment memory, int rights) {
        if (!Access.ZERO_BASED.in(rights)) {
            return memory.address();
        }
        requireSamePageOffset(verb, memory, 0);
        return 0;
    }

    /// The kernel translates whole pages.
    private static void requireSamePageOffset(String verb, MemorySegment memory, long iova) {
        long mask = Libc.pageSize() - 1;
        if ((memory.address() & mask) != (iova & mask)) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    "address 0x%x and iova 0x%x are at different places of their pages of %d bytes"
                            .formatted(memory.address(), iova, mask + 1));
        }
    }

    private static NativeMemoryRegion register(
            String verb, NativeProtectionDomain domain, MemorySegment memory, long iova, int access, Arena arena) {
        // The iova says where addresses begin; with ZERO_BASED besides, newer kernels refuse.
        int rights = access & ~Access.ZERO_BASED.bit();
        long region = IbVerbs.LIB.regMr(domain.address(), memory.address(), memory.byteSize(), iova, rights);
        if (region == -Errno.EINVAL.number() && (access & FLUSH_RIGHTS) != 0) { // kernels before 6.2
            throw new UnsupportedVerbException(
                    domain.context().device().name(), "ibv_reg_mr with " + Access.of(access & FLUSH_RIGHTS));
        }
        if (region < 0) {
            throw domain.context().failure(Subject.MEMORY, verb + " for " + Access.of(access), (int) region);
        }
        NativeMemoryRegion made = new NativeMemoryRegion(domain, region, memory, iova, access, arena);
        domain.lifetime().children().add(made);
        return made;
    }

    /// The `struct ibv_mr`.
    public long address(String verb) {
        return lifetime.use(verb, () -> address);
    }

    /// Keeps the region until [#release], for requests that name it; false when it is closed.
    public boolean acquire() {
        return posts.acquire();
    }

    public void release() {
        posts.release();
    }

    /// The `struct ibv_mr`, for callers that have acquired the region.
    public long struct() {
        return address;
    }

    public Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public void reregister(MemorySegment memory, ProtectionDomain domain, Set<Access> access) {
        String verb = "register memory region 0x%x again".formatted(lkey());
        int rights = access == null ? access() : Access.bits(access);
        MemoryCheck.requireRights(verb, rights);
        if (memory != null) {
            MemoryCheck.requireMemory(verb, memory, rights);
        }
        NativeProtectionDomain target = requireOwn(verb, domain);
        int flags = (memory == null ? 0 : CHANGE_TRANSLATION)
                | (domain == null ? 0 : CHANGE_PD)
                | (access == null ? 0 : CHANGE_ACCESS);
        if (flags == 0) {
            return;
        }
        lifetime.use(verb, () -> target.lifetime().use(verb, () -> reregister(verb, flags, memory, target, rights)));
    }

    private synchronized Void reregister(
            String verb, int flags, MemorySegment memory, NativeProtectionDomain domain, int rights) {
        NativeProtectionDomain before = protectionDomain();
        MemorySegment to = memory == null ? memory() : memory;
        long start = memory == null ? 0 : memory.address();
        long length = memory == null ? 0 : memory.byteSize();
        int newRights = (flags & CHANGE_ACCESS) == 0 ? 0 : rights; // the library refuses rights that do not change
        int failed = IbVerbs.LIB.reregMr(address, flags, domain.address(), start, length, newRights);
        if (failed != 0) {
            throw before.context().failure(Subject.MEMORY, verb, failed);
        }
        long iova = memory == null ? address() : memory.address();
        register(domain, to, iova, rights, Mr.LKEY.get(address), Mr.RKEY.get(address));
        if (domain != before) {
            before.lifetime().children().remove(this);
            domain.lifetime().children().add(this);
        }
        return null;
    }

    @Override
    public void close() {
        String verb = "close memory region 0x%x".formatted(lkey());
        boolean ended = lifetime.end(verb, () -> {
            posts.end();
            int failed = IbVerbs.LIB.deregMr(address);
            if (failed != 0) {
                posts.resume();
                throw Failures.of(Subject.MEMORY, verb, failed, "windows bound to it keep it open");
            }
        });
        if (ended) {
            protectionDomain().lifetime().children().remove(this);
        }
        freeMemory(verb);
    }

    private synchronized void freeMemory(String verb) {
        if (arena != null && lifetime.hasEnded() && arena.scope().isAlive()) {
            freeMemory(verb, arena::close);
        }
    }
}
