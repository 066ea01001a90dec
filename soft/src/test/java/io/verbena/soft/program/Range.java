package io.verbena.soft.program;

/// Bytes `from` to `from + length` of an area.
record Range(int from, int length) {
    static final Range NONE = new Range(0, 0);

    boolean overlaps(Range other) {
        return length > 0 && other.length > 0 && from < other.from + other.length && other.from < from + length;
    }
}
