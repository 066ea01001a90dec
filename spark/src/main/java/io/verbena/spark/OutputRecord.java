package io.verbena.spark;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Where a map output is: the entry of the index that reducers read by RDMA. It may be read while it is being written,
/// so it has a checksum.
///
/// ```
/// length of all (4)  CRC-32C of the rest (4)  map (8)  slab (4)  start of the chunk (8)  use of the chunk (8)  base
/// (8)
/// partitions (4)  length of each partition (1 to 9)  zeros
/// ```
///
/// A length has 7 bits per byte, the lowest first. All has a multiple of 8 bytes.
///
/// @param map its number, or [#NEXT] when the index goes on in the chunk
/// @param slab the slab that it is in, or [#FILE]
/// @param start where its chunk begins in the slab
/// @param use which use of the chunk it belongs to
/// @param base where it begins in the slab; the length of the chunk when the index goes on there
/// @param offsets where each partition begins, and the end of the last, from the base on
record OutputRecord(long map, int slab, long start, long use, long base, long[] offsets) {
    /// The map output is a mapped file, which is exported by itself.
    static final int FILE = -1;

    /// No map output, but the end of a chunk of the index.
    static final long NEXT = -1;

    /// How long such a record is.
    static final int NEXT_BYTES = 48;

    private static final long[] NO_PARTITIONS = {0};
    private static final int HEADER_BYTES = 8;
    private static final int FIXED_BYTES = HEADER_BYTES + 40;
    private static final int MOST_LENGTH_BYTES = 9;
    private static final int ALIGNMENT = 8;
    private static final int LOW_BITS = 0x7F;
    private static final int MORE = 0x80;

    /// The offsets of partitions of these lengths.
    static long[] offsets(long[] lengths) {
        long[] offsets = new long[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            offsets[i + 1] = offsets[i] + lengths[i];
        }
        return offsets;
    }

    /// The index goes on there.
    static OutputRecord next(Chunk chunk) {
        return new OutputRecord(NEXT, chunk.slab().number(), chunk.start(), chunk.use(), chunk.bytes(), NO_PARTITIONS);
    }

    int partitions() {
        return offsets.length - 1;
    }

    ByteBuffer encode() {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(FIXED_BYTES + ALIGNMENT + (long) partitions() * MOST_LENGTH_BYTES));
        bytes.position(HEADER_BYTES);
        bytes.putLong(map)
                .putInt(slab)
                .putLong(start)
                .putLong(use)
                .putLong(base)
                .putInt(partitions());
        for (int i = 0; i < partitions(); i++) {
            long left = offsets[i + 1] - offsets[i];
            while (left > LOW_BITS) {
                bytes.put((byte) (left & LOW_BITS | MORE));
                left >>>= 7;
            }
            bytes.put((byte) left);
        }
        int length = (bytes.position() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        bytes.position(0).limit(length);
        return bytes.putInt(0, length).putInt(4, checksum(bytes));
    }

    /// Of all but itself.
    private static int checksum(ByteBuffer record) {
        CRC32C sum = new CRC32C();
        sum.update(record.duplicate().limit(record.position() + 4));
        sum.update(record.duplicate().position(record.position() + HEADER_BYTES));
        return (int) sum.getValue();
    }

    /// Takes the next record; null when there is none that was written to its end. The position stays then.
    static OutputRecord decode(ByteBuffer bytes) {
        int length = bytes.remaining() < FIXED_BYTES ? 0 : bytes.getInt(bytes.position());
        if (length < FIXED_BYTES || length > bytes.remaining()) {
            return null;
        }
        ByteBuffer record = bytes.slice(bytes.position(), length);
        if (checksum(record) != record.getInt(4)) {
            return null;
        }
        bytes.position(bytes.position() + length);
        record.position(HEADER_BYTES);
        long map = record.getLong();
        int slab = record.getInt();
        long start = record.getLong();
        long use = record.getLong();
        long base = record.getLong();
        long[] offsets = new long[record.getInt() + 1];
        for (int i = 0; i + 1 < offsets.length; i++) {
            offsets[i + 1] = offsets[i] + length(record);
        }
        return new OutputRecord(map, slab, start, use, base, offsets);
    }

    private static long length(ByteBuffer record) {
        long length = 0;
        int shift = 0;
        byte next;
        do {
            next = record.get();
            length |= (long) (next & LOW_BITS) << shift;
            shift += 7;
        } while (next < 0);
        return length;
    }
}
