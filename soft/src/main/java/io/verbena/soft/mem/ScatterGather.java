package io.verbena.soft.mem;

import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;

/// Copies between packets and the buffers of a request. A buffer is two longs of a queue's slot: the address, and
/// the length (high half, unsigned) with the lkey (low half).
///
/// Each copy looks its key up once, and checks and uses the key that it found: so it needs no lock against changes of
/// the
/// table. Who closes a region waits until copies that began before are over.
public final class ScatterGather {
    public static final int WORDS = 2;

    private ScatterGather() {}

    public static long lengthAndKey(long length, int lkey) {
        return length << 32 | lkey & 0xFFFF_FFFFL;
    }

    public static long length(long lengthAndKey) {
        return lengthAndKey >>> 32;
    }

    public static int lkey(long lengthAndKey) {
        return (int) lengthAndKey;
    }

    /// Whether every buffer is covered by its key with the rights; buffers of length 0 are not looked at (rule
    /// POST-7).
    public static boolean allows(MemoryTable table, MemoryUser user, long[] words, int at, int count, int rights) {
        for (int i = 0; i < count; i++) {
            long lengthAndKey = words[at + i * WORDS + 1];
            long length = length(lengthAndKey);
            if (length != 0
                    && table.check(
                                    lkey(lengthAndKey),
                                    user,
                                    words[at + i * WORDS],
                                    length,
                                    rights | MemoryKey.LOCAL_READ)
                            != AccessCheck.OK) {
                return false;
            }
        }
        return true;
    }

    /// Copies `bytes` bytes that start `skip` bytes into the buffers to a packet; false when a buffer may not be
    /// read.
    public static boolean gather(
            MemoryTable table,
            MemoryUser user,
            long[] words,
            int at,
            int count,
            long skip,
            MemorySegment packet,
            long packetAt,
            int bytes) {
        return walk(true, table, user, words, at, count, skip, packet, packetAt, bytes);
    }

    /// The other way: places packet bytes into the buffers; false when a buffer may not be written or they are too
    /// short.
    public static boolean scatter(
            MemoryTable table,
            MemoryUser user,
            long[] words,
            int at,
            int count,
            long skip,
            MemorySegment packet,
            long packetAt,
            int bytes) {
        return walk(false, table, user, words, at, count, skip, packet, packetAt, bytes);
    }

    private static boolean walk(
            boolean gather,
            MemoryTable table,
            MemoryUser user,
            long[] words,
            int at,
            int count,
            long skip,
            MemorySegment packet,
            long packetAt,
            int bytes) {
        for (int i = 0; i < count && bytes > 0; i++) {
            long lengthAndKey = words[at + i * WORDS + 1];
            long length = length(lengthAndKey);
            if (skip >= length) {
                skip -= length;
                continue;
            }
            int n = (int) Math.min(bytes, length - skip);
            int key = lkey(lengthAndKey);
            long address = words[at + i * WORDS] + skip;
            boolean copied = gather
                    ? read(table, user, key, address, MemoryKey.LOCAL_READ, packet, packetAt, n)
                    : write(table, user, key, address, Access.LOCAL_WRITE.bit(), packet, packetAt, n);
            if (!copied) {
                return false;
            }
            packetAt += n;
            bytes -= n;
            skip = 0;
        }
        return bytes == 0;
    }

    /// Copies what a key opens into a packet after checking key, range and rights.
    public static boolean read(
            MemoryTable table,
            MemoryUser user,
            int value,
            long address,
            int rights,
            MemorySegment packet,
            long packetAt,
            int bytes) {
        MemoryKey key = table.find(value);
        if (key == null || key.check(user, address, bytes, rights) != AccessCheck.OK) {
            return false;
        }
        try {
            MemorySegment.copy(key.memory(), key.offsetOf(address), packet, packetAt, bytes);
            return true;
        } catch (IllegalStateException | InternalError gone) {
            // The caller freed registered memory, or cut the file that is mapped there: as if the region were closed.
            return false;
        }
    }

    /// Copies packet bytes into what a key opens after checking key, range and rights.
    public static boolean write(
            MemoryTable table,
            MemoryUser user,
            int value,
            long address,
            int rights,
            MemorySegment packet,
            long packetAt,
            int bytes) {
        MemoryKey key = table.find(value);
        if (key == null || key.check(user, address, bytes, rights) != AccessCheck.OK) {
            return false;
        }
        try {
            MemorySegment.copy(packet, packetAt, key.memory(), key.offsetOf(address), bytes);
            return true;
        } catch (IllegalStateException | InternalError gone) {
            return false;
        }
    }
}
