package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Refuses memory that cannot be exported, before a device is asked: a server at all addresses has none at first.
final class ExportedMemory {
    private static final Thread SOME_OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

    private ExportedMemory() {}

    static void require(String operation, MemorySegment memory, Access... rights) {
        List<Access> granted = List.of(rights);
        if (memory.byteSize() == 0) {
            throw new RdmaException(operation, Errno.EINVAL, "the memory is empty; it must have one byte at least");
        }
        if (!memory.isNative()) {
            throw new RdmaException(
                    operation,
                    Errno.EFAULT,
                    "memory of the heap has no fixed address; use memory of Arena.ofShared(), or let the server allocate it");
        }
        if (!memory.scope().isAlive()) {
            throw new RdmaException(operation, Errno.EFAULT, "the arena of the memory is closed");
        }
        if (!memory.isAccessibleBy(SOME_OTHER_THREAD)) {
            throw new RdmaException(
                    operation,
                    Errno.EFAULT,
                    "memory of a confined arena is open to one thread only; use memory of Arena.ofShared(), or let the server allocate it");
        }
        if (memory.isReadOnly() && (granted.contains(Access.REMOTE_ATOMIC) || granted.contains(Access.REMOTE_WRITE))) {
            throw new RdmaException(
                    operation,
                    Errno.EINVAL,
                    "the memory is read-only; grant REMOTE_READ only, or export memory that can be written");
        }
    }
}
