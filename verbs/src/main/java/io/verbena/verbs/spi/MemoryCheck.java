package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;

/// Refuses memory that cannot be registered, and contradictory rights, before the device is called.
public final class MemoryCheck {
    private static final Thread SOME_OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

    private MemoryCheck() {}

    /// Throws EINVAL when a right needs another one that is missing.
    public static void requireRights(String verb, int rights) {
        if ((Access.REMOTE_WRITE.in(rights) || Access.REMOTE_ATOMIC.in(rights)) && !Access.LOCAL_WRITE.in(rights)) {
            throw new RdmaException(verb, Errno.EINVAL, "REMOTE_WRITE and REMOTE_ATOMIC need LOCAL_WRITE as well");
        }
    }

    /// Throws EINVAL when there is no byte to register.
    public static void requireBytes(String verb, long bytes) {
        if (bytes <= 0) {
            throw new RdmaException(verb, Errno.EINVAL, "a region has at least one byte");
        }
    }

    /// Throws EFAULT or EINVAL when the memory cannot be registered with these rights.
    public static void requireMemory(String verb, MemorySegment memory, int rights) {
        requireBytes(verb, memory.byteSize());
        if (!memory.isNative()) {
            throw new RdmaException(
                    verb,
                    Errno.EFAULT,
                    "heap memory has no address; use memory of Arena.ofShared, or of ProtectionDomain.allocate");
        }
        if (!memory.scope().isAlive()) {
            throw new RdmaException(verb, Errno.EFAULT, "the memory's arena is closed");
        }
        // Memory of a confined arena cannot be accessed by a thread that is not its owner.
        if (!memory.isAccessibleBy(SOME_OTHER_THREAD)) {
            throw new RdmaException(
                    verb,
                    Errno.EFAULT,
                    "memory of a confined arena; the device works from any thread, use Arena.ofShared() or pd.allocate");
        }
        if (memory.isReadOnly() && Access.LOCAL_WRITE.in(rights)) {
            throw new RdmaException(verb, Errno.EINVAL, "the memory is read-only; leave out LOCAL_WRITE");
        }
    }
}
