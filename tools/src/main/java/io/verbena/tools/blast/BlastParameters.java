package io.verbena.tools.blast;

import java.nio.ByteBuffer;
import java.util.List;

/// How many messages of how many bytes, and how many buffers for them on each side: what the client tells the server
/// in the private data of its connect. 24 bytes: three numbers of 64 bits, big-endian.
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

    /// May ask for anything: see [#complaint].
    static BlastParameters decode(byte[] privateData) {
        ByteBuffer bytes = ByteBuffer.wrap(privateData);
        return new BlastParameters(bytes.getLong(0), bytes.getLong(8), bytes.getLong(16));
    }

    /// Why a server cannot take a client with this private data, in words for both sides; null when it can. It arrives
    /// filled up with zeros: a ping's two numbers are followed by a third one, zero.
    static String complaint(byte[] privateData) {
        if (privateData.length < BYTES || decode(privateData).buffers == 0) {
            return "this is 'verbena blast', and the client tells no number of buffers: it is another program, ping perhaps";
        }
        for (int i = BYTES; i < privateData.length; i++) {
            if (privateData[i] != 0) {
                return "this is 'verbena blast', and the client's private data is longer: it is another program";
            }
        }
        return decode(privateData).complaint();
    }

    /// Why these cannot be, null when they can.
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
