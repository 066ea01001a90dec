package io.verbena.verbs.attr;

/// How far flushed data must have come. Counterpart of `enum ibv_placement_type`.
public enum FlushType {
    GLOBAL_VISIBILITY(1),
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
