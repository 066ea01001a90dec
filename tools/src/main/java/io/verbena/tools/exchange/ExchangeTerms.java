package io.verbena.tools.exchange;

import java.nio.ByteBuffer;

/// The client's choice for both sides, sent in the private data of its connect. 16 bytes, big-endian: the letters
/// `VBEX`, version u8 (1), mode u8 (0 write, 1 read), two zeros, size of the buffers u64.
record ExchangeTerms(ExchangeMode mode, long size) {
    static final int BYTES = 16;
    /// The largest request of the kernel's software device (rxe); other devices allow more.
    static final long LARGEST = 8 << 20;

    private static final int LETTERS = 0x56424558;
    private static final byte VERSION = 1;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(LETTERS)
                .put(VERSION)
                .put((byte) mode.ordinal())
                .putShort((short) 0)
                .putLong(size)
                .array();
    }

    /// Only for private data without [#complaint].
    static ExchangeTerms decode(byte[] privateData) {
        ByteBuffer bytes = ByteBuffer.wrap(privateData);
        return new ExchangeTerms(ExchangeMode.values()[bytes.get(5)], bytes.getLong(8));
    }

    /// The reason why a server refuses a client with this private data, for both sides; null when it does not.
    static String complaint(byte[] privateData) {
        if (privateData.length < BYTES || ByteBuffer.wrap(privateData).getInt(0) != LETTERS) {
            return "this is 'verbena exchange', and the client's private data is that of another program";
        }
        ByteBuffer bytes = ByteBuffer.wrap(privateData);
        if (bytes.get(4) != VERSION) {
            return "the client speaks version " + bytes.get(4) + " of exchange, this server version " + VERSION;
        }
        if (bytes.get(5) < 0 || bytes.get(5) >= ExchangeMode.values().length) {
            return "there is no mode " + bytes.get(5) + "; 0 is write, 1 is read";
        }
        long size = bytes.getLong(8);
        return size < 1 || size > LARGEST
                ? "size " + Long.toUnsignedString(size) + " is not within 1 to " + LARGEST
                : null;
    }
}
