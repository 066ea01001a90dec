package io.verbena.tools.doctor;

import io.verbena.tools.text.Style;
import java.util.Locale;

/// How bad a finding is.
enum Level {
    OK(Style.GREEN),
    /// Something does not work, or not as well as it could, but programs can run.
    WARNING(Style.YELLOW),
    /// No program can run here.
    PROBLEM(Style.RED);

    private final Style style;

    Level(Style style) {
        this.style = style;
    }

    Style style() {
        return style;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
