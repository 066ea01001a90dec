package io.verbena.sockets.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/// An entry of a target list: where the side that reads it may write next. 16 bytes in the byte order of that side.
record TargetEntry(long address, int key, int length) {
    static final int BYTES = 16;

    void encode(MemorySegment to, long offset, ByteOrder order) {
        to.set(EntryFields.longs(order), offset, address);
        to.set(EntryFields.ints(order), offset + 8, key);
        to.set(EntryFields.ints(order), offset + 12, length);
    }

    static TargetEntry decode(MemorySegment from, long offset, ByteOrder order) {
        return new TargetEntry(
                from.get(EntryFields.longs(order), offset),
                from.get(EntryFields.ints(order), offset + 8),
                ConnectionData.lengthOf(from.get(EntryFields.ints(order), offset + 12)));
    }
}
