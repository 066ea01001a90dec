package io.verbena.soft.fuzz;

/// A sequence of choices read from the bytes of an input; zeros at its end.
final class FuzzInput {
    private final byte[] bytes;
    private int at;

    FuzzInput(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isOver() {
        return at >= bytes.length;
    }

    int next() {
        return at < bytes.length ? bytes[at++] & 0xFF : 0;
    }

    /// From 0 to `count - 1`.
    int below(int count) {
        return count <= 256 ? next() % count : (next() << 8 | next()) % count;
    }

    /// True once in so many times.
    boolean onceIn(int times) {
        return below(times) == times - 1;
    }

    int i32() {
        return next() << 24 | next() << 16 | next() << 8 | next();
    }

    long i64() {
        return (long) i32() << 32 | Integer.toUnsignedLong(i32());
    }

    int of(int... values) {
        return values[below(values.length)];
    }

    long of(long... values) {
        return values[below(values.length)];
    }

    @SafeVarargs
    final <T> T pick(T... values) {
        return values[below(values.length)];
    }
}
