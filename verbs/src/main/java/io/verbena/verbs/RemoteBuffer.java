package io.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/// Memory of a peer, as a WRITE or READ names it: address, length and key.
///
/// The owner of the memory sends it encoded, in a message or in private data, and the peer decodes it:
///
/// ```java
/// id.accept(ConnectionParameters.DEFAULT.withPrivateData(region.remote().encode()));     // the owner
/// RemoteBuffer there = RemoteBuffer.decode(id.event().privateData());                    // its peer
/// ```
public record RemoteBuffer(long address, long length, int rkey) {
    /// How many bytes [#encode] makes and [#decode] reads: address (8), length (8) and key (4), in network order.
    public static final int BYTES = 20;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// The buffer in [#BYTES] bytes, for a peer to [#decode].
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putLong(address)
                .putLong(length)
                .putInt(rkey)
                .array();
    }

    /// Writes the buffer into [#BYTES] bytes of memory, at `offset`; makes no garbage.
    public void encode(MemorySegment target, long offset) {
        Objects.requireNonNull(target, "the memory is null");
        target.set(LONG, offset, address);
        target.set(LONG, offset + 8, length);
        target.set(INT, offset + 16, rkey);
    }

    /// The buffer that a peer encoded in the first [#BYTES] bytes; later bytes are ignored. EINVAL when there are fewer
    /// bytes, or they describe no buffer.
    public static RemoteBuffer decode(byte[] bytes) {
        return decode(MemorySegment.ofArray(Objects.requireNonNull(bytes, "the bytes are null")), 0);
    }

    /// The buffer that a peer encoded at `offset`. EINVAL when the memory ends before, or the bytes describe no buffer.
    public static RemoteBuffer decode(MemorySegment source, long offset) {
        Objects.requireNonNull(source, "the memory is null");
        if (offset < 0 || source.byteSize() - offset < BYTES) {
            throw new RdmaException(
                    "decode a remote buffer",
                    Errno.EINVAL,
                    "it has %d bytes, here are %d; encode it with RemoteBuffer.encode"
                            .formatted(BYTES, Math.max(0, source.byteSize() - offset)));
        }
        long length = source.get(LONG, offset + 8);
        if (length < 0) {
            throw new RdmaException(
                    "decode a remote buffer",
                    Errno.EINVAL,
                    "its length would be " + length + "; these bytes are no encoded RemoteBuffer");
        }
        return new RemoteBuffer(source.get(LONG, offset), length, source.get(INT, offset + 16));
    }

    /// A part of the buffer. Throws IndexOutOfBoundsException when the part is not within it.
    public RemoteBuffer slice(long offset, long length) {
        if (offset < 0 || length < 0 || offset > this.length - length) {
            throw new IndexOutOfBoundsException(
                    "bytes " + offset + " to " + (offset + length) + " of a remote buffer of " + this.length);
        }
        return new RemoteBuffer(address + offset, length, rkey);
    }

    @Override
    public String toString() {
        return "RemoteBuffer[address=0x%x, length=%d, rkey=0x%x]".formatted(address, length, rkey);
    }
}
