package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.Sge;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;

/// The scatter/gather list of a request, as the array of structs that the driver reads. Beside it are the memories
/// themselves, which only inline requests need.
final class NativeBufferList {
    private static final long MAX_BYTES = 1L << 31;

    private final long array;
    private final int max;
    private final MemorySegment[] memories;
    private final long[] offsets;
    private final long[] lengths;
    /// May be more than `max`: refused when posting, with the place in the chain. Those beyond are not kept.
    private int count;

    /// @param array memory for `max` structs
    NativeBufferList(long array, int max) {
        this.array = array;
        this.max = max;
        this.memories = new MemorySegment[max];
        this.offsets = new long[max];
        this.lengths = new long[max];
    }

    static long bytes(int max) {
        return (long) max * Sge.SIZE;
    }

    long array() {
        return array;
    }

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    /// How many there are to read, whatever another thread is adding.
    int kept() {
        return Math.min(count, max);
    }

    /// Whether there are more than a queue takes, or more than are kept.
    boolean isMoreThan(int allowed) {
        return count > allowed || count > max;
    }

    void add(MemoryRegion region, long offset, long length) {
        if (offset < 0 || length < 0 || offset > region.length() - length) {
            throw new IndexOutOfBoundsException("bytes " + offset + " to " + (offset + length) + " of " + region);
        }
        add(region.address() + offset, length, region.lkey(), region.memory(), offset);
    }

    void add(long address, long length, int lkey) {
        add(address, length, lkey, null, 0);
    }

    void add(MemorySegment memory) {
        add(0, memory.byteSize(), 0, memory, 0);
    }

    private void add(long address, long length, int lkey, MemorySegment memory, long offset) {
        if (length < 0 || length > MAX_BYTES) {
            throw new IllegalArgumentException("a buffer of " + length + " bytes; a message has 0 to 2^31");
        }
        if (count < max) {
            long sge = array + (long) count * Sge.SIZE;
            Sge.addr(sge, address);
            Sge.length(sge, (int) length);
            Sge.lkey(sge, lkey);
            memories[count] = memory;
            offsets[count] = offset;
            lengths[count] = length;
        }
        count++;
    }

    long totalBytes() {
        long total = 0;
        for (int i = 0; i < kept(); i++) {
            total += lengths[i];
        }
        return total;
    }

    /// Whether the bytes can be read here and now, as inline requests need.
    boolean isReadable() {
        for (int i = 0; i < kept(); i++) {
            if (memories[i] == null && lengths[i] > 0) {
                return false;
            }
        }
        return true;
    }

    /// Copies the bytes themselves, for inline requests. Reading them here, and not in the driver, makes memory that
    /// is gone an exception.
    void copyInto(MemorySegment target) {
        long at = 0;
        for (int i = 0; i < kept(); i++) {
            if (lengths[i] > 0) {
                MemorySegment.copy(memories[i], offsets[i], target, at, lengths[i]);
                at += lengths[i];
            }
        }
    }

    /// Writes one struct for bytes at an address.
    static void single(long sge, long address, long length) {
        Memory.putLong(sge + Sge.ADDR, address);
        Memory.putInt(sge + Sge.LENGTH, (int) length);
        Memory.putInt(sge + Sge.LKEY, 0);
    }
}
