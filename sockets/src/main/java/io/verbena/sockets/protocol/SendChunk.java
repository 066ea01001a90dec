package io.verbena.sockets.protocol;

import java.nio.ByteBuffer;

/// Part of a registered memory that is filled with bytes of the stream. The writer puts bytes at [#fillOffset] without
/// holding up the connection, and then commits them.
public final class SendChunk {
    final RegisteredMemory memory;
    final long offset;
    final int length;

    /// The position in the stream of the first byte.
    long start;

    int filled;

    SendChunk(RegisteredMemory memory, long offset, int length) {
        this.memory = memory;
        this.offset = offset;
        this.length = length;
    }

    /// The memory that it is a part of.
    public ByteBuffer bytes() {
        return memory.bytes();
    }

    /// Where the next bytes go.
    public int fillOffset() {
        return (int) offset + filled;
    }

    /// How many bytes fit.
    public int room() {
        return length - filled;
    }

    long end() {
        return start + filled;
    }

    long offsetOf(long position) {
        return offset + (position - start);
    }
}
