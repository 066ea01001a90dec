package io.verbena.sockets.protocol;

/// The number of map entries in one byte: up to 128 as it is, above in steps of 256.
final class ScaledSize {
    private static final int EXACT = 128;
    private static final int MOST = 0x7F << 8;

    private ScaledSize() {}

    static int encode(int size) {
        if (size < 0 || size > MOST) {
            throw new IllegalArgumentException("a table has 0 to %d map entries, not %d".formatted(MOST, size));
        }
        return size <= EXACT ? size : 0x80 | size >> 8;
    }

    static int decode(int code) {
        return code <= EXACT ? code : (code & 0x7F) << 8;
    }
}
