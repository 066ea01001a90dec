package io.verbena.tools.exchange;

import io.verbena.verbs.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// A message between the sides. 24 bytes, big-endian: type u32, key u32, address u64, length u32, CRC-32 u32.
///
/// Type 0 (MR): the buffer that the receiver of the message may access, and the checksum of the text that it is going
/// to get. Type 1 (DONE): the sender has finished with the receiver's buffer; the rest is zero.
record ExchangeMessage(int type, RemoteBuffer buffer, int checksum) {
    static final int BYTES = 24;
    static final int MR = 0;
    static final int DONE = 1;

    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    static ExchangeMessage mr(RemoteBuffer buffer, int checksum) {
        return new ExchangeMessage(MR, buffer, checksum);
    }

    static ExchangeMessage done() {
        return new ExchangeMessage(DONE, new RemoteBuffer(0, 0, 0), 0);
    }

    void write(MemorySegment message) {
        message.set(U32, 0, type);
        message.set(U32, 4, buffer.rkey());
        message.set(U64, 8, buffer.address());
        message.set(U32, 16, (int) buffer.length());
        message.set(U32, 20, checksum);
    }

    static ExchangeMessage read(MemorySegment message) {
        var buffer = new RemoteBuffer(
                message.get(U64, 8), Integer.toUnsignedLong(message.get(U32, 16)), message.get(U32, 4));
        return new ExchangeMessage(message.get(U32, 0), buffer, message.get(U32, 20));
    }
}
