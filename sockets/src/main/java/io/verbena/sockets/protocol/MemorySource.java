package io.verbena.sockets.protocol;

import io.verbena.verbs.RdmaException;

/// Where a connection gets memory from.
@FunctionalInterface
public interface MemorySource {
    RegisteredMemory allocate(long bytes);

    /// More memory for a connection that can go on without; null when there is none.
    default RegisteredMemory allocateMore(long bytes) {
        try {
            return allocate(bytes);
        } catch (RdmaException e) {
            onMissing(e);
            return null;
        }
    }

    /// The connection goes on with the memory that it has.
    default void onMissing(RdmaException reason) {}
}
