package io.verbena.tools.blast;

import java.nio.ByteBuffer;
import java.util.List;

/// Number and size of the messages, and number of buffers on each side. The client sends them in the private data of
/// its connect: 24 bytes, three numbers of 64 bits, big-endian.
record BlastParameters(long count, long size, long buffers) {
    static final int BYTES = 24;

    private static final long MOST = 1L << 40;
    private static final long LARGEST = 256L << 20;
    private static final long MOST_BUFFERS = 1024;

    private record Limit(String name, long value, long most) {}

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(count)
                .putLong(size)
                .putLong(buffers)
                .array();
    }

    /// The values are not checked: see [#complaint].
    static BlastParameters decode(byte[] privateData) {
        ByteBuffer bytes = ByteBuffer.wrap(privateData);
        return new BlastParameters(bytes.getLong(0), bytes.getLong(8), bytes.getLong(16));
    }

    /// The reason why a server refuses a client with this private data, for both sides; null when it does not. Private
    /// data is padded with zeros: the two numbers of a ping are followed by a third one, zero.
    static String complaint(byte[] privateData) {
        if (privateData.length < BYTES || decode(privateData).buffers == 0) {
            return "this is 'verbena blast', and the client sends no number of buffers: it is another program, ping perhaps";
        }
        for (int i = BYTES; i < privateData.length; i++) {
            if (privateData[i] != 0) {
                return "this is 'verbena blast', and the client's private data is longer: it is another program";
            }
        }
        return decode(privateData).complaint();
    }

    /// What is wrong with the values, null when they are valid.
    String complaint() {
        var limits = List.of(
                new Limit("count", count, MOST),
                new Limit("size", size, LARGEST),
                new Limit("buffers", buffers, MOST_BUFFERS));
        for (Limit limit : limits) {
            if (limit.value < 1 || limit.value > limit.most) {
                return "%s %s is not within 1 to %d"
                        .formatted(limit.name, Long.toUnsignedString(limit.value), limit.most);
            }
        }
        return size * buffers > LARGEST
                ? "size: %d buffers of %d bytes are more than %d bytes together".formatted(buffers, size, LARGEST)
                : null;
    }
}
