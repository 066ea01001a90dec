package io.verbena.sockets.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// The private data by which the two sides of a connection tell each other where to write: 40 bytes in network order.
///
/// - `bigEndian`: the byte order in which the sender reads its target list
/// - `hasMaps`: whether the sender has a table of maps, of `maps` entries, behind its target list
/// - `credits`: how many data messages the sender takes ahead
/// - `list...`: the sender's target list, its length in entries
/// - `buffer...`: the sender's first receive buffer, its length in bytes
public record ConnectionData(
        boolean bigEndian,
        boolean hasMaps,
        int credits,
        int maps,
        long listAddress,
        int listKey,
        int listEntries,
        long bufferAddress,
        int bufferKey,
        int bufferLength) {
    public static final int BYTES = 40;

    private static final int VERSION = 1;
    private static final int BIG_ENDIAN = 1;
    private static final int HAS_MAPS = 2;
    private static final int MOST_ENTRIES = 1 << 16;

    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .put((byte) VERSION)
                .put((byte) ((bigEndian ? BIG_ENDIAN : 0) | (hasMaps ? HAS_MAPS : 0)))
                .putShort((short) credits)
                .putInt(ScaledSize.encode(maps))
                .putLong(listAddress)
                .putInt(listKey)
                .putInt(listEntries)
                .putLong(bufferAddress)
                .putInt(bufferKey)
                .putInt(bufferLength)
                .array();
    }

    /// Bytes behind the 40 are ignored, because private data is filled up with zeros; missing ones count as zeros.
    ///
    /// @throws ProtocolException when the peer speaks another protocol, or nonsense
    public static ConnectionData decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(Arrays.copyOf(bytes, BYTES));
        int version = from.get();
        if (version != VERSION) {
            throw new ProtocolException("the peer does not speak rsockets version 1: its version is " + version);
        }
        int flags = from.get();
        int credits = Short.toUnsignedInt(from.getShort());
        boolean hasMaps = (flags & HAS_MAPS) != 0;
        int maps = from.getInt() & 0xFF;
        ConnectionData data = new ConnectionData(
                (flags & BIG_ENDIAN) != 0,
                hasMaps,
                credits,
                hasMaps ? ScaledSize.decode(maps) : 0,
                from.getLong(),
                from.getInt(),
                from.getInt(),
                from.getLong(),
                from.getInt(),
                lengthOf(from.getInt()));
        if (data.listEntries < 1 || data.listEntries > MOST_ENTRIES) {
            throw new ProtocolException("the peer's target list has %d entries".formatted(data.listEntries));
        }
        return data;
    }

    /// Lengths are unsigned; more than a message can have is as good as that.
    static int lengthOf(int unsigned) {
        return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
    }
}
