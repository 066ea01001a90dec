package io.verbena.tools.exchange;

import java.util.Locale;

/// Which side copies the bytes: the one that has them, or the one that wants them.
enum ExchangeMode {
    /// Each side WRITEs its text into the other's memory.
    WRITE,
    /// Each side READs the text out of the other's memory.
    READ;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
