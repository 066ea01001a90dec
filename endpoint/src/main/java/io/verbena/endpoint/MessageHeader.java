package io.verbena.endpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The 16 bytes before each message on the wire, in network order: kind (1 byte), flags (1), credits that are returned
/// (2), length of what follows (4), and a number whose meaning depends on the kind (8). The whole protocol is described
/// in `docs/endpoint-protocol.md`.
final class MessageHeader {
    static final int BYTES = 16;

    /// A message of the program; its number is 0.
    static final int MESSAGE = 1;
    /// A request of the program; its number is that of the call.
    static final int REQUEST = 2;
    /// The answer to a request; its number is that of the call.
    static final int REPLY = 3;
    /// Only returns credits.
    static final int CREDITS = 4;
    /// The memory of a long message, whose number this is, is not needed any more.
    static final int DONE = 5;
    /// Asks for an export by its name; the number is that of the question.
    static final int FIND = 6;
    /// The answer to FIND: address, length and key, rights, and the number of the export.
    static final int FOUND = 7;
    /// The answer to FIND when there is no such export; nothing follows.
    static final int NOT_FOUND = 8;
    /// The export of this number must not be used any more.
    static final int REVOKE = 9;
    /// No access to the export of this number is under way any more.
    static final int REVOKED = 10;
    /// The sender sends no messages after this one.
    static final int END = 11;

    /// The bytes that follow describe memory of the sender, from which the receiver reads the message by RDMA READ.
    static final int LONG = 1;
    /// With DONE: the receiver did not take the message, because it is longer than the receiver allows.
    static final int REFUSED = 2;
    /// With END: the sender has got the END of the other side, and so all its messages.
    static final int HAS_ALL = 4;
    /// With END: the number is how many messages of the other side the program has taken.
    static final int COUNTED = 8;
    /// With END: the program has failed.
    static final int FAILED = 16;

    /// What follows the header of a long message: number of the transfer (8), address (8), length (8), key (4).
    static final int LONG_BYTES = 28;

    static final int MOST_CREDITS = 0xFFFF;

    static final ValueLayout.OfLong LONG_WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfInt INT_WORD = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int KIND_SHIFT = 56;
    private static final int FLAGS_SHIFT = 48;
    private static final int CREDITS_SHIFT = 32;
    private static final int BYTE = 0xFF;
    private static final int SHORT = 0xFFFF;
    private static final long NUMBER_AT = 8;

    private MessageHeader() {}

    static void write(MemorySegment to, long at, int kind, int flags, int credits, int length, long number) {
        to.set(LONG_WORD, at, first(kind, flags, credits, length));
        to.set(LONG_WORD, at + NUMBER_AT, number);
    }

    /// All but the number, as one word.
    static long first(int kind, int flags, int credits, int length) {
        return (long) kind << KIND_SHIFT
                | (long) flags << FLAGS_SHIFT
                | (long) credits << CREDITS_SHIFT
                | length & 0xFFFF_FFFFL;
    }

    static long first(MemorySegment from) {
        return from.get(LONG_WORD, 0);
    }

    static long number(MemorySegment from) {
        return from.get(LONG_WORD, NUMBER_AT);
    }

    static int kind(long first) {
        return (int) (first >>> KIND_SHIFT);
    }

    static int flags(long first) {
        return (int) (first >>> FLAGS_SHIFT) & BYTE;
    }

    static int credits(long first) {
        return (int) (first >>> CREDITS_SHIFT) & SHORT;
    }

    /// Negative when the sender wrote nonsense.
    static int length(long first) {
        return (int) first;
    }

    /// Whether such a message needs a credit: it waits in a receive buffer until the program takes it.
    static boolean needsCredit(int kind) {
        return kind == MESSAGE || kind == REQUEST || kind == REPLY;
    }
}
