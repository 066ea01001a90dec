package io.verbena.sockets.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/// An entry of a table of maps: memory of the side that wrote it, at an offset of that side's choice. 24 bytes in the
/// byte order of the side that reads it.
record MapEntry(long offset, long address, int key, int length) {
    static final int BYTES = 24;

    boolean covers(long position) {
        return position - offset >= 0 && position - offset < length;
    }

    void encode(MemorySegment to, long at, ByteOrder order) {
        to.set(EntryFields.longs(order), at, offset);
        to.set(EntryFields.longs(order), at + 8, address);
        to.set(EntryFields.ints(order), at + 16, key);
        to.set(EntryFields.ints(order), at + 20, length);
    }

    @Override
    public String toString() {
        return "offset %d, address 0x%x, key 0x%x, %d bytes".formatted(offset, address, key, length);
    }

    static MapEntry decode(MemorySegment from, long at, ByteOrder order) {
        return new MapEntry(
                from.get(EntryFields.longs(order), at),
                from.get(EntryFields.longs(order), at + 8),
                from.get(EntryFields.ints(order), at + 16),
                ConnectionData.lengthOf(from.get(EntryFields.ints(order), at + 20)));
    }
}
