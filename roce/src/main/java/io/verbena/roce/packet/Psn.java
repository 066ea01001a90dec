package io.verbena.roce.packet;

/// Packet sequence numbers: 24-bit serial arithmetic, meaningful while two numbers are less than 2^23 apart.
public final class Psn {
    public static final int MASK = 0xFF_FFFF;

    private static final int UNUSED_BITS = 8;

    private Psn() {}

    /// The number after this one.
    public static int next(int psn) {
        return psn + 1 & MASK;
    }

    /// The number that is `n` after this one; `n` may be negative.
    public static int add(int psn, int n) {
        return psn + n & MASK;
    }

    /// `a - b`, negative when `a` is the older one.
    public static int distance(int a, int b) {
        return a - b << UNUSED_BITS >> UNUSED_BITS;
    }

    /// Whether `a` is older than `b`.
    public static boolean isBefore(int a, int b) {
        return distance(a, b) < 0;
    }

    /// Whether `a` is newer than `b`.
    public static boolean isAfter(int a, int b) {
        return distance(a, b) > 0;
    }
}
