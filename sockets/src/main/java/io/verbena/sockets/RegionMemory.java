package io.verbena.sockets;

import io.verbena.sockets.protocol.RegisteredMemory;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// A memory region of a connection.
record RegionMemory(MemoryRegion region, ByteBuffer bytes) implements RegisteredMemory {
    static RegionMemory allocate(ProtectionDomain pd, long length) {
        MemoryRegion region = pd.allocate(length, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        return new RegionMemory(region, region.memory().asByteBuffer());
    }

    @Override
    public MemorySegment memory() {
        return region.memory();
    }

    @Override
    public long address() {
        return region.address();
    }

    @Override
    public int rkey() {
        return region.rkey();
    }

    @Override
    public void close() {
        region.close();
    }
}
