package io.verbena.tools.copy;

import io.verbena.verbs.RemoteBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The one message that both sides send: the place of a buffer. 16 bytes without padding, little-endian, as the C
/// struct has them on usual machines: address u64, length u32, key u32 (which the C program calls "stag").
///
/// The C program sends the *local* key. That works on devices where both keys of a region are equal, as on ours.
public final class BufferAttributes {
    public static final int BYTES = 16;
    /// The largest value of the 32-bit length.
    static final long LONGEST = 0xFFFF_FFFFL;

    private static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private BufferAttributes() {}

    public static void write(MemorySegment message, RemoteBuffer described) {
        message.set(U64, 0, described.address());
        message.set(U32, 8, (int) described.length());
        message.set(U32, 12, described.rkey());
    }

    public static RemoteBuffer read(MemorySegment message) {
        return new RemoteBuffer(message.get(U64, 0), Integer.toUnsignedLong(message.get(U32, 8)), message.get(U32, 12));
    }

    static String text(RemoteBuffer buffer) {
        return "%,d bytes at 0x%x, key 0x%x".formatted(buffer.length(), buffer.address(), buffer.rkey());
    }
}
