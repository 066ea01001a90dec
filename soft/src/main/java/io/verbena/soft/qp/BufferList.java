package io.verbena.soft.qp;

import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The scatter/gather list of a request that is being filled in. One list may name memories of any provider by
/// address and key; only inline requests need the region itself.
final class BufferList {
    private long[] words;
    /// Where inline requests read from: the memory of each buffer, or null when only its address is known, and how
    /// far into it.
    private MemorySegment[] memories;

    private long[] offsets;
    private int count;

    BufferList(int max) {
        this.words = new long[Math.max(1, max) * ScatterGather.WORDS];
        this.memories = new MemorySegment[Math.max(1, max)];
        this.offsets = new long[Math.max(1, max)];
    }

    void clear() {
        count = 0;
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
        if (length < 0 || length > RoceConstants.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a buffer of " + length + " bytes; a message has 0 to 2^31");
        }
        if (count == memories.length) {
            // More than the queue pair takes is refused when posting, with the place in the chain.
            words = Arrays.copyOf(words, words.length * 2);
            memories = Arrays.copyOf(memories, memories.length * 2);
            offsets = Arrays.copyOf(offsets, offsets.length * 2);
        }
        words[count * ScatterGather.WORDS] = address;
        words[count * ScatterGather.WORDS + 1] = ScatterGather.lengthAndKey(length, lkey);
        offsets[count] = offset;
        memories[count++] = memory;
    }

    int count() {
        return count;
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
                MemorySegment.copy(memories[i], offsets[i], target, at, length);
                at += length;
            }
        }
    }

    /// Whether the bytes can be read here and now, as inline requests need.
    boolean isReadable() {
        for (int i = 0; i < count; i++) {
            if (memories[i] == null && length(i) > 0) {
                return false;
            }
        }
        return true;
    }
}
