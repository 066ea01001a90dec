package io.verbena.soft.region;

import io.verbena.soft.limit.SoftLimits;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.spi.MemoryCheck;
import java.lang.foreign.MemorySegment;

/// The rules for memory and rights that a software device registers.
///
/// ON_DEMAND and HUGE_PAGES are accepted and have no effect: the device accesses memory as any program does, so the
/// operating system decides about pages.
public final class RegistrationRules {
    private RegistrationRules() {}

    /// Throws unless that memory can be registered with these rights.
    public static void require(String verb, MemorySegment memory, int rights) {
        MemoryCheck.requireRights(verb, rights);
        MemoryCheck.requireMemory(verb, memory, rights);
        requireSize(verb, memory.byteSize());
        requirePersistence(verb, rights, memory.isMapped());
    }

    /// As [#require], before the memory is made.
    public static void requireNew(String verb, long bytes, int rights) {
        MemoryCheck.requireRights(verb, rights);
        MemoryCheck.requireBytes(verb, bytes);
        requireSize(verb, bytes);
        requirePersistence(verb, rights, false);
    }

    private static void requireSize(String verb, long bytes) {
        if (bytes > SoftLimits.MAX_MEMORY_REGION_BYTES) {
            throw new RdmaException(
                    verb, Errno.EINVAL, "a region has at most " + SoftLimits.MAX_MEMORY_REGION_BYTES + " bytes");
        }
    }

    /// Only a file survives a loss of power.
    private static void requirePersistence(String verb, int rights, boolean mapped) {
        if (Access.FLUSH_PERSISTENT.in(rights) && !mapped) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    "FLUSH_PERSISTENT needs memory that is mapped from a file; map one with FileChannel.map");
        }
    }

    /// The address of the first byte unless the caller gives another.
    public static long address(MemorySegment memory, int rights) {
        return Access.ZERO_BASED.in(rights) ? 0 : memory.address();
    }

    /// Throws unless addresses may count from `iova`.
    public static void requireIova(String verb, long iova, long bytes, int rights) {
        if (Access.ZERO_BASED.in(rights) && iova != 0) {
            throw new RdmaException(
                    verb, Errno.EINVAL, "addresses of a ZERO_BASED region count from 0; leave one of the two out");
        }
        if (Long.compareUnsigned(iova + (bytes - 1), iova) < 0) {
            throw new RdmaException(verb, Errno.EINVAL, "the addresses would pass 2^64; choose a lower iova");
        }
    }
}
