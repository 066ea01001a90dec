package io.verbena.soft.qp;

import io.verbena.soft.mem.BindableRegion;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.spi.BufferList;

/// A scatter/gather list in the form of the queues' slots. One list may name memories of any provider by address and
/// key.
final class SoftBufferList extends BufferList {
    private final long[] words;
    /// The region of each buffer, to check whether it is closed; null for regions of other providers, and for
    /// addresses.
    private final BindableRegion[] regions;
    /// How many buffers the request had when it was last checked; -1 when it has changed since.
    private int checked = -1;

    SoftBufferList(int max) {
        super(max);
        this.words = new long[Math.max(1, max) * ScatterGather.WORDS];
        this.regions = new BindableRegion[Math.max(1, max)];
    }

    @Override
    protected void store(int index, long address, long length, int lkey, MemoryRegion region) {
        words[index * ScatterGather.WORDS] = address;
        words[index * ScatterGather.WORDS + 1] = ScatterGather.lengthAndKey(length, lkey);
        regions[index] = region instanceof BindableRegion own ? own : null;
        checked = -1;
    }

    /// Whether the request is as it was when it was last checked. A request is usually posted many times.
    boolean isChecked() {
        return checked == count();
    }

    /// The request was checked, or has changed.
    void checked(boolean right) {
        checked = right ? count() : -1;
    }

    /// A region of the list that is closed, so that the request must be refused; else null.
    MemoryRegion closedRegion() {
        for (int i = 0; i < kept(); i++) {
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

    /// Copies addresses, lengths and keys.
    void copyInto(long[] target, int at) {
        System.arraycopy(words, 0, target, at, kept() * ScatterGather.WORDS);
    }
}
