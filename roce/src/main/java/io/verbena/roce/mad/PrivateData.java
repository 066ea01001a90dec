package io.verbena.roce.mad;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;

/// Bytes for the program at the other end: a value. In a message it has the full size that the message has room for.
public final class PrivateData {
    /// No bytes.
    public static final PrivateData NONE = of();

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    /// A copy of these bytes.
    public static PrivateData of(byte... bytes) {
        return new PrivateData(bytes.clone());
    }

    static PrivateData read(MemorySegment packet, long at, int size) {
        return new PrivateData(Field.read(packet, at, size));
    }

    /// Filled up with zeros.
    PrivateData filled(AttributeId message, int size) {
        return bytes.length == size
                ? this
                : new PrivateData(Arrays.copyOf(Field.limited(message + " private data", bytes, size), size));
    }

    void write(MemorySegment packet, long at) {
        Field.write(packet, at, bytes);
    }

    /// A copy of the bytes.
    public byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrivateData that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The bytes without trailing zeros.
    @Override
    public String toString() {
        return hex(bytes);
    }

    static String hex(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return "'" + HexFormat.of().formatHex(bytes, 0, end) + "'";
    }
}
