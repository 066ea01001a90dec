package io.verbena.sockets.protocol;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The layouts of the numbers in entries of target lists and tables of maps. Constants, because a layout that is made
/// anew has to look up how it is accessed.
final class EntryFields {
    private static final ValueLayout.OfLong BIG_LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LITTLE_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt BIG_INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt LITTLE_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private EntryFields() {}

    static ValueLayout.OfLong longs(ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? BIG_LONG : LITTLE_LONG;
    }

    static ValueLayout.OfInt ints(ByteOrder order) {
        return order == ByteOrder.BIG_ENDIAN ? BIG_INT : LITTLE_INT;
    }
}
