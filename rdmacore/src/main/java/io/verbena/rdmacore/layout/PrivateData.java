package io.verbena.rdmacore.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.rdmacore.lib.Memory;

/// A pointer and a length in one byte, as connection parameters have them.
final class PrivateData {
    private PrivateData() {}

    /// A copy of the bytes; none when the pointer at `pointer` is NULL.
    static byte[] get(long pointer, long length) {
        long data = Memory.getLong(pointer);
        int bytes = Byte.toUnsignedInt(Memory.getByte(length));
        return data == 0 || bytes == 0
                ? new byte[0]
                : Memory.segment(data, bytes).toArray(JAVA_BYTE);
    }
}
