package io.verbena.soft.program;

/// Bytes `from` to `from + length` of an area.
record ByteRange(int from, int length) {
    static final ByteRange NONE = new ByteRange(0, 0);

    boolean overlaps(ByteRange other) {
        return length > 0 && other.length > 0 && from < other.from + other.length && other.from < from + length;
    }
}
