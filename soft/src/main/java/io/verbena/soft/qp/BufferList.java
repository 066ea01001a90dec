package io.verbena.soft.qp;

import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.mem.BindableRegion;
import io.verbena.soft.mem.LateFaults;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// The scatter/gather list of a request that is being filled in. One list may name memories of any provider by
/// address and key; only inline requests need the region itself.
final class BufferList {
    private long[] words;
    /// The source of inline requests: the memory of each buffer, or null when only its address is known, and the offset
    /// in it.
    private MemorySegment[] memories;

    private long[] offsets;
    /// The region of each buffer, to check whether it is closed; null for regions of other providers, and for
    /// addresses.
    private BindableRegion[] regions;

    private int count;

    BufferList(int max) {
        this.words = new long[Math.max(1, max) * ScatterGather.WORDS];
        this.memories = new MemorySegment[Math.max(1, max)];
        this.offsets = new long[Math.max(1, max)];
        this.regions = new BindableRegion[Math.max(1, max)];
    }

    void clear() {
        count = 0;
    }

    void add(MemoryRegion region, long offset, long length) {
        Objects.requireNonNull(region, "the memory region is null");
        if (offset < 0 || length < 0 || offset > region.length() - length) {
            throw new IndexOutOfBoundsException("bytes " + offset + " to " + (offset + length) + " of " + region);
        }
        BindableRegion own = region instanceof BindableRegion bindable ? bindable : null;
        add(region.address() + offset, length, region.lkey(), region.memory(), offset, own);
    }

    void add(long address, long length, int lkey) {
        add(address, length, lkey, null, 0, null);
    }

    void add(MemorySegment memory) {
        add(0, Objects.requireNonNull(memory, "the memory is null").byteSize(), 0, memory, 0, null);
    }

    private void add(long address, long length, int lkey, MemorySegment memory, long offset, BindableRegion region) {
        if (length < 0 || length > RoceConstants.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a buffer of " + length + " bytes; a message has 0 to 2^31");
        }
        if (count == memories.length) {
            // Posting refuses more buffers than the queue pair takes, and names the index in the chain.
            words = Arrays.copyOf(words, words.length * 2);
            memories = Arrays.copyOf(memories, memories.length * 2);
            offsets = Arrays.copyOf(offsets, offsets.length * 2);
            regions = Arrays.copyOf(regions, regions.length * 2);
        }
        words[count * ScatterGather.WORDS] = address;
        words[count * ScatterGather.WORDS + 1] = ScatterGather.lengthAndKey(length, lkey);
        offsets[count] = offset;
        regions[count] = region;
        memories[count++] = memory;
    }

    int count() {
        return count;
    }

    /// A region of the list that is closed, so that the request must be refused; else null.
    MemoryRegion closedRegion() {
        for (int i = 0; i < count; i++) {
            BindableRegion region = regions[i];
            if (region != null && region.isClosed()) {
                return region;
            }
        }
        return null;
    }

    /// Of the first buffer.
    long address() {
        return words[0];
    }

    /// Of the first buffer.
    long lengthAndKey() {
        return words[1];
    }

    /// Of the first buffer, where known.
    MemorySegment memory() {
        return memories[0];
    }

    /// Of the first buffer, within its memory.
    long offset() {
        return offsets[0];
    }

    long totalBytes() {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += length(i);
        }
        return total;
    }

    private long length(int i) {
        return ScatterGather.length(words[i * ScatterGather.WORDS + 1]);
    }

    void copyInto(long[] target, int at) {
        System.arraycopy(words, 0, target, at, count * ScatterGather.WORDS);
    }

    /// Copies the bytes themselves, for inline requests.
    void copyInto(MemorySegment target, long at) {
        for (int i = 0; i < count; i++) {
            long length = length(i);
            if (length > 0) {
                copy(i, target, at, length);
                at += length;
            }
        }
    }

    /// Copies `length` bytes, all of the first buffer.
    void copyFirst(MemorySegment target, long at, long length) {
        copy(0, target, at, length);
    }

    private void copy(int i, MemorySegment target, long at, long length) {
        try {
            MemorySegment.copy(memories[i], offsets[i], target, at, length);
            LateFaults.take(memories[i]);
        } catch (InternalError gone) {
            throw new UnreadableBytesException(gone);
        }
    }

    /// Whether the bytes can be read while posting, as inline requests need.
    boolean isReadable() {
        for (int i = 0; i < count; i++) {
            if (memories[i] == null && length(i) > 0) {
                return false;
            }
        }
        return true;
    }
}
