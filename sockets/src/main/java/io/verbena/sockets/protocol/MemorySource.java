package io.verbena.sockets.protocol;

/// Where a connection gets memory from.
@FunctionalInterface
public interface MemorySource {
    RegisteredMemory allocate(long bytes);

    /// More memory for a connection that can go on without; null when there is none.
    default RegisteredMemory allocateMore(long bytes) {
        try {
            return allocate(bytes);
        } catch (RuntimeException noRoom) {
            return null;
        }
    }
}
