package io.verbena.sockets.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// An entry of a target list: where the side that reads it may write next. 16 bytes in the byte order of that side.
record TargetEntry(long address, int key, int length) {
    static final int BYTES = 16;

    void encode(MemorySegment to, long offset, ByteOrder order) {
        to.set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order), offset, address);
        to.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(order), offset + 8, key);
        to.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(order), offset + 12, length);
    }

    static TargetEntry decode(MemorySegment from, long offset, ByteOrder order) {
        return new TargetEntry(
                from.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order), offset),
                from.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(order), offset + 8),
                ConnectionData.lengthOf(from.get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(order), offset + 12)));
    }
}
