package io.verbena.tools.rping;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The one message that both sides send: the place of a buffer. 16 bytes, big-endian: address u64, key u32, size u32.
/// The client's message describes its buffer. The content of the server's is ignored: it only means "go on".
final class ControlMessage {
    static final int BYTES = 16;

    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private ControlMessage() {}

    static void write(MemorySegment message, MemoryRegion described, int size) {
        message.set(U64, 0, described.address());
        message.set(U32, 8, described.rkey());
        message.set(U32, 12, size);
    }

    static RemoteBuffer read(MemorySegment message) {
        return new RemoteBuffer(message.get(U64, 0), Integer.toUnsignedLong(message.get(U32, 12)), message.get(U32, 8));
    }
}
