package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Base transport header: the first 12 bytes of every packet.
///
/// ```
/// 0  opcode
/// 1  SE(7) M(6) pad(5-4) version(3-0)
/// 2  partition key (16)
/// 4  FECN(7) BECN(6) reserved
/// 5  destination queue pair (24)
/// 8  ack request(7) reserved
/// 9  PSN (24)
/// ```
public final class Bth {
    public static final int BYTES = 12;

    private static final int SOLICITED = 0x80;
    private static final int MIGRATED = 0x40;
    private static final int PAD = 0x30;
    private static final int PAD_SHIFT = 4;
    private static final int VERSION = 0x0F;
    private static final int FECN = 0x80;
    private static final int BECN = 0x40;
    private static final int ACK_REQUEST = 0x80;

    private Bth() {}

    /// Writes all 12 bytes: migrated, default partition, version 0, no congestion mark.
    ///
    /// Adapters send M=1 and some expect it; no known device checks it strictly.
    public static void write(
            MemorySegment p,
            long at,
            int opcode,
            boolean solicited,
            int padCount,
            int destinationQp,
            boolean ackRequested,
            int psn) {
        int flags = (solicited ? SOLICITED : 0) | MIGRATED | padCount << PAD_SHIFT;
        long head = (long) opcode << 56 | (long) flags << 48 | 0xFFFFL << 32 | destinationQp & 0xFF_FFFFL;
        BigEndian.i64(p, at, head);
        BigEndian.i32(p, at + 8, (ackRequested ? ACK_REQUEST << 24 : 0) | psn & 0xFF_FFFF);
    }

    /// The first eight bytes at once, for callers that need several of their fields.
    public static long first(MemorySegment p, long at) {
        return BigEndian.i64(p, at);
    }

    /// The last four bytes at once.
    public static int second(MemorySegment p, long at) {
        return BigEndian.i32(p, at + 8);
    }

    /// The opcode, from [#first]. This is arithmetic on a whole word, not a load of a byte: a load from shared memory
    /// that was unmapped may return a value that is not a byte.
    public static int opcode(long first) {
        return (int) (first >>> 56);
    }

    /// Whether the packet wakes a receiver that waits for solicited events, from [#first].
    public static boolean solicited(long first) {
        return ((int) (first >>> 48) & SOLICITED) != 0;
    }

    /// The number of zero bytes between payload and ICRC, 0 to 3, from [#first].
    public static int padCount(long first) {
        return ((int) (first >>> 48) & PAD) >>> PAD_SHIFT;
    }

    /// The number of the queue pair that the packet goes to, from [#first].
    public static int destinationQp(long first) {
        return (int) first & 0xFF_FFFF;
    }

    /// Whether the sender asks for an acknowledgement, from [#second].
    public static boolean ackRequested(int second) {
        return second < 0;
    }

    /// The packet sequence number, from [#second].
    public static int psn(int second) {
        return second & 0xFF_FFFF;
    }

    /// The opcode.
    public static int opcode(MemorySegment p, long at) {
        return BigEndian.u8(p, at);
    }

    /// Sets the opcode.
    public static void opcode(MemorySegment p, long at, int value) {
        BigEndian.u8(p, at, value);
    }

    /// Whether the packet wakes a receiver that waits for solicited events.
    public static boolean solicited(MemorySegment p, long at) {
        return BigEndian.bit(p, at + 1, SOLICITED);
    }

    /// Sets the solicited event bit, which wakes a receiver that waits for it.
    public static void solicited(MemorySegment p, long at, boolean value) {
        BigEndian.bit(p, at + 1, SOLICITED, value);
    }

    /// Whether the migration bit is set.
    public static boolean migrated(MemorySegment p, long at) {
        return BigEndian.bit(p, at + 1, MIGRATED);
    }

    /// Sets the migration bit.
    public static void migrated(MemorySegment p, long at, boolean value) {
        BigEndian.bit(p, at + 1, MIGRATED, value);
    }

    /// Zero bytes between payload and ICRC, 0 to 3.
    public static int padCount(MemorySegment p, long at) {
        return (BigEndian.u8(p, at + 1) & PAD) >>> PAD_SHIFT;
    }

    /// Sets the number of zero bytes between payload and ICRC, 0 to 3.
    public static void padCount(MemorySegment p, long at, int value) {
        BigEndian.u8(p, at + 1, BigEndian.u8(p, at + 1) & ~PAD | value << PAD_SHIFT & PAD);
    }

    /// Transport header version; a receiver drops everything but 0.
    public static int version(MemorySegment p, long at) {
        return BigEndian.u8(p, at + 1) & VERSION;
    }

    /// Sets the transport header version.
    public static void version(MemorySegment p, long at, int value) {
        BigEndian.u8(p, at + 1, BigEndian.u8(p, at + 1) & ~VERSION | value & VERSION);
    }

    /// The partition key.
    public static int partitionKey(MemorySegment p, long at) {
        return BigEndian.u16(p, at + 2);
    }

    /// Sets the partition key.
    public static void partitionKey(MemorySegment p, long at, int value) {
        BigEndian.u16(p, at + 2, value);
    }

    /// Whether the packet met congestion on the way here.
    public static boolean fecn(MemorySegment p, long at) {
        return BigEndian.bit(p, at + 4, FECN);
    }

    /// Sets the mark of congestion on the way here.
    public static void fecn(MemorySegment p, long at, boolean value) {
        BigEndian.bit(p, at + 4, FECN, value);
    }

    /// Whether the packet tells of congestion on the way back.
    public static boolean becn(MemorySegment p, long at) {
        return BigEndian.bit(p, at + 4, BECN);
    }

    /// Sets the mark of congestion on the way back.
    public static void becn(MemorySegment p, long at, boolean value) {
        BigEndian.bit(p, at + 4, BECN, value);
    }

    /// The number of the queue pair that the packet goes to.
    public static int destinationQp(MemorySegment p, long at) {
        return BigEndian.low24(p, at + 4);
    }

    /// Sets the number of the queue pair that the packet goes to.
    public static void destinationQp(MemorySegment p, long at, int value) {
        BigEndian.low24(p, at + 4, value);
    }

    /// Whether the sender asks for an acknowledgement.
    public static boolean ackRequested(MemorySegment p, long at) {
        return BigEndian.bit(p, at + 8, ACK_REQUEST);
    }

    /// Sets the bit that asks for an acknowledgement.
    public static void ackRequested(MemorySegment p, long at, boolean value) {
        BigEndian.bit(p, at + 8, ACK_REQUEST, value);
    }

    /// The packet sequence number.
    public static int psn(MemorySegment p, long at) {
        return BigEndian.low24(p, at + 8);
    }

    /// Sets the packet sequence number.
    public static void psn(MemorySegment p, long at, int value) {
        BigEndian.low24(p, at + 8, value);
    }
}
