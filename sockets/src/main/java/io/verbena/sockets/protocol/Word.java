package io.verbena.sockets.protocol;

/// The 32 bits that travel as immediate data: a type in the upper three bits, and a value.
public final class Word {
    /// The value is the number of bytes that were written into the ring.
    public static final int DATA = 0;

    /// The value is the limit of the credits; with 16 bytes of payload also a new target entry.
    public static final int SGL = 4;

    /// The value is the index of the map entry that was written.
    public static final int IOMAP = 6;

    /// The value is DISCONNECT, KEEPALIVE, SHUTDOWN or RESET.
    public static final int CONTROL = 7;

    public static final int DISCONNECT = CONTROL << 29;
    public static final int KEEPALIVE = CONTROL << 29 | 1;
    public static final int SHUTDOWN = CONTROL << 29 | 2;

    /// Of this module, before DISCONNECT: what was written may be lost. C ignores control words that it does not know.
    public static final int RESET = CONTROL << 29 | 3;

    /// The longest message that a word can announce.
    public static final int MOST_BYTES = (1 << 29) - 1;

    private static final int VALUE_MASK = MOST_BYTES;

    private Word() {}

    public static int data(int bytes) {
        if (bytes < 1 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("a data message has 1 to %d bytes, not %d".formatted(MOST_BYTES, bytes));
        }
        return bytes;
    }

    /// The limit as the sum of two 16-bit numbers, which is not reduced: bit 16 may be set.
    public static int sgl(int consumed, int credits) {
        return SGL << 29 | consumed + credits & VALUE_MASK;
    }

    public static int iomap(int index) {
        return IOMAP << 29 | index;
    }

    public static int type(int word) {
        return word >>> 29;
    }

    public static int value(int word) {
        return word & VALUE_MASK;
    }
}
