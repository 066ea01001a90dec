package io.verbena.sockets.protocol;

/// Where a connection gets memory from.
@FunctionalInterface
public interface MemorySource {
    RegisteredMemory allocate(long bytes);
}
