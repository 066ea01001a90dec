package io.verbena.tools.ping;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Number and size of the messages: the client sends them in the private data of its connect.
///
/// 16 bytes: the count, then the size, each 64 bits and big-endian. Some versions of the C programs write them in the
/// byte order of their machine, others the low 32 bits big-endian and zeros behind; [#decode] reads all three.
record PingParameters(long count, long size) {
    static final int BYTES = 16;
    /// A larger count could be a small one in another byte order.
    static final long MOST = (1L << 32) - 1;
    /// Each side has two buffers of up to this size.
    static final long LARGEST = 256L << 20;

    private static final int WORD = Long.BYTES;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES).putLong(count).putLong(size).array();
    }

    /// Decodes the private data of a connection request; empty when it has none, as with the first of the C programs.
    /// Private data is padded with zeros. The values are not checked: see [#complaint].
    static Optional<PingParameters> decode(byte[] privateData) {
        byte[] said = Arrays.copyOf(privateData, BYTES);
        if (isZero(privateData, 0)) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(said);
        var usual = new PingParameters(bytes.getLong(0), bytes.getLong(WORD));
        return Optional.of(usual.isInRange() ? usual : otherForm(bytes).orElse(usual));
    }

    /// The two other forms have zeros in the same places. The smaller value is nearly always the right one: decoded as
    /// the other form, a small number becomes a large one.
    private static Optional<PingParameters> otherForm(ByteBuffer bytes) {
        return Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
                .map(order -> {
                    bytes.order(order);
                    boolean shortWord = order == ByteOrder.BIG_ENDIAN;
                    return new PingParameters(word(bytes, 0, shortWord), word(bytes, WORD, shortWord));
                })
                .filter(PingParameters::isInRange)
                .min(Comparator.comparingDouble(form -> (double) form.count * form.size));
    }

    private static long word(ByteBuffer bytes, int at, boolean shortWord) {
        if (!shortWord) {
            return bytes.getLong(at);
        }
        // the high half is zero in the memory of the C program: else it is another form
        return bytes.getInt(at + Integer.BYTES) == 0 ? Integer.toUnsignedLong(bytes.getInt(at)) : -1;
    }

    private boolean isInRange() {
        return count >= 0 && count <= MOST && size >= 0 && size <= MOST;
    }

    /// The reason why a server refuses a client with these values, for both sides; null when it does not.
    static String complaint(byte[] privateData) {
        if (!isZero(privateData, BYTES)) {
            return "the client's private data is longer than the 16 bytes of ping: it is another program";
        }
        return decode(privateData).map(PingParameters::complaint).orElse(null);
    }

    /// As [#complaint(byte[])], for the own parameters; null when they are valid.
    String complaint() {
        for (var limit : List.of(new Limit("count", count, MOST), new Limit("size", size, LARGEST))) {
            if (limit.value < 1 || limit.value > limit.most) {
                return "%s %d is not within 1 to %d".formatted(limit.name, limit.value, limit.most);
            }
        }
        return null;
    }

    private record Limit(String name, long value, long most) {}

    private static boolean isZero(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
