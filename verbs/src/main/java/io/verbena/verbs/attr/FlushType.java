package io.verbena.verbs.attr;

/// How far flushed data must have come. Counterpart of `enum ibv_placement_type`.
public enum FlushType {
    /// Every processor and device of the peer's host sees it.
    GLOBAL_VISIBILITY(1),
    /// It outlives a loss of power. A software device writes mapped memory to its file, and serves nobody else until
    /// the disk has it.
    PERSISTENCE(2);

    private final int bit;

    FlushType(int bit) {
        this.bit = bit;
    }

    public int bit() {
        return bit;
    }

    /// The types as a C flag word.
    public static int bits(FlushType... types) {
        int bits = 0;
        for (FlushType type : types) {
            bits |= type.bit;
        }
        return bits;
    }
}
