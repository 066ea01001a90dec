package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.Sge;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.spi.BufferList;

/// A scatter/gather list as the array of structs that the driver reads.
final class NativeBufferList extends BufferList {
    private final long array;

    /// @param array memory for `max` structs
    NativeBufferList(long array, int max) {
        super(max);
        this.array = array;
    }

    static long bytes(int max) {
        return (long) max * Sge.SIZE;
    }

    long array() {
        return array;
    }

    @Override
    protected void store(int index, long address, long length, int lkey, MemoryRegion region) {
        writeStruct(array + (long) index * Sge.SIZE, address, length, lkey);
    }

    static void writeStruct(long sge, long address, long length, int lkey) {
        Sge.ADDR.set(sge, address);
        Sge.LENGTH.set(sge, (int) length);
        Sge.LKEY.set(sge, lkey);
    }
}
