package io.verbena.sockets.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Memory of a test, at an address of its own.
final class HeapMemory implements RegisteredMemory {
    private static long nextAddress = 0x10000;
    private static int nextKey = 100;

    private final ByteBuffer bytes;
    private final long address;
    private final int key;
    boolean isClosed;

    HeapMemory(long length) {
        bytes = ByteBuffer.allocate((int) length);
        address = nextAddress;
        nextAddress += length + 4096;
        key = nextKey++;
    }

    @Override
    public MemorySegment memory() {
        return MemorySegment.ofBuffer(bytes.clear());
    }

    @Override
    public ByteBuffer bytes() {
        return bytes;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public int rkey() {
        return key;
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
