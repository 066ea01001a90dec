package io.verbena.rdmacore.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.rdmacore.lib.Memory;

/// A pointer and a length in one byte, as connection parameters have them.
final class PrivateData {
    private PrivateData() {}

    /// A copy of the bytes; none when `data` is NULL.
    static byte[] get(long data, int length) {
        return data == 0 || length == 0
                ? new byte[0]
                : Memory.segment(data, length).toArray(JAVA_BYTE);
    }
}
