package io.verbena.tools.ping;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// How many messages of how many bytes: what the client tells the server in the private data of its connect.
///
/// 16 bytes: the count, then the size, each 64 bits and big-endian. Some versions of the C programs write them in the
/// byte order of their machine, others the low 32 bits big-endian and zeros behind; [#decode] reads all three.
record PingParameters(long count, long size) {
    static final int BYTES = 16;
    /// Beyond it a count in one byte order could be a small one in another.
    static final long MOST = (1L << 32) - 1;
    /// Each side has two buffers of that size.
    static final long LARGEST = 256L << 20;

    private static final int WORD = Long.BYTES;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES).putLong(count).putLong(size).array();
    }

    /// What a connection request says; empty where it says nothing, as the first of the C programs. The private
    /// data arrives filled up with zeros. The result may ask for anything: see [#complaint].
    static Optional<PingParameters> decode(byte[] privateData) {
        byte[] said = Arrays.copyOf(privateData, BYTES);
        if (isZero(privateData, 0)) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(said);
        var usual = new PingParameters(bytes.getLong(0), bytes.getLong(WORD));
        return Optional.of(usual.isInRange() ? usual : otherForm(bytes).orElse(usual));
    }

    /// The two other forms share their zeros. The right one is nearly always that with less to do: taken for
    /// the other, a small number becomes a large one.
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
        // high half zero in the C program's memory: what is not zero there is another form
        return bytes.getInt(at + Integer.BYTES) == 0 ? Integer.toUnsignedLong(bytes.getInt(at)) : -1;
    }

    private boolean isInRange() {
        return count >= 0 && count <= MOST && size >= 0 && size <= MOST;
    }

    /// Why a server cannot do what these ask for, in words for both sides; null when it can.
    static String complaint(byte[] privateData) {
        if (!isZero(privateData, BYTES)) {
            return "the client's private data is longer than the 16 bytes of ping: it is another program";
        }
        return decode(privateData).map(PingParameters::complaint).orElse(null);
    }

    /// As [#complaint(byte[])], for one's own; null when there is none.
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
