package io.verbena.verbs;

/// Arithmetic on memory keys.
public final class Keys {
    private Keys() {}

    /// The next key of the same memory window: the low 8 bits are counted up, the others name the window and stay.
    /// Counterpart of `ibv_inc_rkey`.
    public static int increment(int rkey) {
        return rkey & 0xFFFF_FF00 | rkey + 1 & 0xFF;
    }
}
