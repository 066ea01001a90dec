package io.verbena.verbs.attr;

import java.util.Objects;

/// How visible or durable flushed data must be. Counterpart of `enum ibv_placement_type`.
public enum FlushType {
    /// Every processor and device of the peer's host sees the data.
    GLOBAL_VISIBILITY(1),
    /// The data survives a loss of power. A software device writes mapped memory to its file, and does nothing else
    /// until the disk has it.
    PERSISTENCE(2);

    private final int bit;

    FlushType(int bit) {
        this.bit = bit;
    }

    /// The bit of this type in a set of types.
    public int bit() {
        return bit;
    }

    /// The types as a C flag word.
    public static int bits(FlushType... types) {
        int bits = 0;
        for (FlushType type : Objects.requireNonNull(types, "the flush types are null")) {
            bits |= Objects.requireNonNull(type, "a flush type is null").bit;
        }
        return bits;
    }
}
