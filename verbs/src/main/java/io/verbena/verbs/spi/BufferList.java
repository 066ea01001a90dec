package io.verbena.verbs.spi;

import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The scatter/gather list of a request that is being filled in. A provider stores addresses and keys as its queue
/// needs them. The memories themselves are for inline requests, which are read while posting.
///
/// A list counts all buffers, but keeps only as many as its queue takes. Posting refuses a request with more, and names
/// its index in the chain.
public abstract class BufferList {
    /// A message is not longer.
    private static final long MAX_BYTES = 1L << 31;

    /// The memory of each buffer, or null when only its address is known, and the offset in it.
    private final MemorySegment[] memories;

    private final long[] offsets;
    private final long[] lengths;
    private int count;

    /// Makes an empty list.
    ///
    /// @param max how many buffers the queue takes; one is kept in any case
    protected BufferList(int max) {
        int kept = Math.max(1, max);
        this.memories = new MemorySegment[kept];
        this.offsets = new long[kept];
        this.lengths = new long[kept];
    }

    /// Stores a buffer that is kept.
    ///
    /// @param region null for bytes of any memory, and for raw addresses
    protected abstract void store(int index, long address, long length, int lkey, MemoryRegion region);

    /// Removes all buffers.
    public final void clear() {
        count = 0;
    }

    /// How many buffers were added, also those that are not kept.
    public final int count() {
        return count;
    }

    /// Whether there are more than a queue takes, or more than are kept: the request may be of another queue.
    public final boolean isMoreThan(int allowed) {
        return count > allowed || count > lengths.length;
    }

    /// How many there are to read, whatever another thread is adding.
    public final int kept() {
        return Math.min(count, lengths.length);
    }

    /// Adds a slice of a region. Throws IndexOutOfBoundsException when it is not within the region.
    public final void add(MemoryRegion region, long offset, long length) {
        Objects.requireNonNull(region, "the memory region is null");
        if (offset < 0 || length < 0 || offset > region.length() - length) {
            throw new IndexOutOfBoundsException("bytes " + offset + " to " + (offset + length) + " of " + region);
        }
        add(region.address() + offset, length, region.lkey(), region.memory(), offset, region);
    }

    /// Adds a buffer by its address and key, unchecked until the request is executed.
    public final void add(long address, long length, int lkey) {
        add(address, length, lkey, null, 0, null);
    }

    /// For inline requests: bytes that need not be registered.
    public final void add(MemorySegment memory) {
        add(0, Objects.requireNonNull(memory, "the memory is null").byteSize(), 0, memory, 0, null);
    }

    private void add(long address, long length, int lkey, MemorySegment memory, long offset, MemoryRegion region) {
        if (length < 0 || length > MAX_BYTES) {
            throw new IllegalArgumentException("a buffer of " + length + " bytes; a message has 0 to 2^31");
        }
        int index = count++;
        if (index < lengths.length) {
            memories[index] = memory;
            offsets[index] = offset;
            lengths[index] = length;
            store(index, address, length, lkey, region);
        }
    }

    /// How many bytes the kept buffers have together.
    public final long totalBytes() {
        long total = 0;
        for (int i = 0; i < kept(); i++) {
            total += lengths[i];
        }
        return total;
    }

    /// Whether the bytes can be read while posting, as inline requests need.
    public final boolean isReadable() {
        for (int i = 0; i < kept(); i++) {
            if (memories[i] == null && lengths[i] > 0) {
                return false;
            }
        }
        return true;
    }

    /// Copies the bytes of all buffers. Reading them here, and not in a driver, makes memory that is gone an exception:
    /// [UnreadableBytesException], or IllegalStateException when its arena was closed.
    public final void copyBytes(MemorySegment target, long at) {
        for (int i = 0; i < kept(); i++) {
            long length = lengths[i];
            if (length > 0) {
                copy(i, target, at, length);
                at += length;
            }
        }
    }

    /// Copies `length` bytes, all of the first buffer.
    public final void copyFirst(MemorySegment target, long at, long length) {
        copy(0, target, at, length);
    }

    private void copy(int index, MemorySegment target, long at, long length) {
        MemorySegment memory = memories[index];
        try {
            MemorySegment.copy(memory, offsets[index], target, at, length);
            LateFaults.take(memory);
        } catch (InternalError gone) {
            throw new UnreadableBytesException(gone);
        }
    }
}
