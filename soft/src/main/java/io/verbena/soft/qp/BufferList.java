package io.verbena.soft.qp;

import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The scatter/gather list of a request that is being filled in. One list may name regions of any provider by
/// address and key; only inline requests need the region itself.
final class BufferList {
    private long[] words;
    private MemoryRegion[] regions;
    private int count;

    BufferList(int max) {
        this.words = new long[Math.max(1, max) * ScatterGather.WORDS];
        this.regions = new MemoryRegion[Math.max(1, max)];
    }

    void clear() {
        count = 0;
    }

    void add(MemoryRegion region, long offset, long length) {
        if (offset < 0 || length < 0 || offset > region.length() - length) {
            throw new IndexOutOfBoundsException("bytes " + offset + " to " + (offset + length) + " of " + region);
        }
        add(region.address() + offset, length, region.lkey(), region);
    }

    void add(long address, long length, int lkey) {
        add(address, length, lkey, null);
    }

    private void add(long address, long length, int lkey, MemoryRegion region) {
        if (length < 0 || length > RoceConstants.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a buffer of " + length + " bytes; a message has 0 to 2^31");
        }
        if (count == regions.length) {
            // More than the queue pair takes is refused when posting, with the place in the chain.
            words = Arrays.copyOf(words, words.length * 2);
            regions = Arrays.copyOf(regions, regions.length * 2);
        }
        words[count * ScatterGather.WORDS] = address;
        words[count * ScatterGather.WORDS + 1] = ScatterGather.lengthAndKey(length, lkey);
        regions[count++] = region;
    }

    int count() {
        return count;
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
                long address = words[i * ScatterGather.WORDS];
                MemoryRegion region = regions[i];
                MemorySegment.copy(region.memory(), address - region.address(), target, at, length);
                at += length;
            }
        }
    }

    /// Whether the bytes can be read here and now, as inline requests need.
    boolean isReadable() {
        for (int i = 0; i < count; i++) {
            if (regions[i] == null && length(i) > 0) {
                return false;
            }
        }
        return true;
    }
}
