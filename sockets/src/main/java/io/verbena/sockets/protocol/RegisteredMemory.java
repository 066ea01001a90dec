package io.verbena.sockets.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Memory that the device may read and the peer may write.
public interface RegisteredMemory extends AutoCloseable {
    MemorySegment memory();

    /// The same as a buffer, always the same one; its position means nothing.
    ByteBuffer bytes();

    /// The address of the first byte, as the peer uses it.
    long address();

    int rkey();

    @Override
    void close();
}
