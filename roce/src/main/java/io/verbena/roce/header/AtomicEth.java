package io.verbena.roce.header;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Atomic extended transport header, of compare-and-swap and fetch-and-add.
public final class AtomicEth {
    public static final int BYTES = 28;

    private AtomicEth() {}

    /// The address in the memory of the responder, a multiple of 8.
    public static long virtualAddress(MemorySegment p, long at) {
        return BigEndian.i64(p, at);
    }

    /// Sets the address in the memory of the responder.
    public static void virtualAddress(MemorySegment p, long at, long value) {
        BigEndian.i64(p, at, value);
    }

    /// The key of the memory of the responder.
    public static int rkey(MemorySegment p, long at) {
        return BigEndian.i32(p, at + 8);
    }

    /// Sets the key of the memory of the responder.
    public static void rkey(MemorySegment p, long at, int value) {
        BigEndian.i32(p, at + 8, value);
    }

    /// The new value of a compare-and-swap, or the number a fetch-and-add adds.
    public static long swapOrAdd(MemorySegment p, long at) {
        return BigEndian.i64(p, at + 12);
    }

    /// Sets the value to store, or the one to add.
    public static void swapOrAdd(MemorySegment p, long at, long value) {
        BigEndian.i64(p, at + 12, value);
    }

    /// The expected value of a compare-and-swap. A fetch-and-add sends 0, but some senders leave old bytes here.
    public static long compare(MemorySegment p, long at) {
        return BigEndian.i64(p, at + 20);
    }

    /// Sets the value to compare with.
    public static void compare(MemorySegment p, long at, long value) {
        BigEndian.i64(p, at + 20, value);
    }
}
