package io.verbena.bench.report;

import io.verbena.bench.run.Spread;
import java.util.Locale;

/// Numbers as people read them: three digits, and no more.
final class Numbers {
    static final String NONE = "-";

    private Numbers() {}

    static String number(double value) {
        if (Double.isNaN(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        String format = size == 0 || size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    static String spread(Spread spread) {
        return spread.isEmpty() ? NONE : "[" + number(spread.low()) + ".." + number(spread.high()) + "]";
    }

    /// Nanoseconds in the unit that fits.
    static String time(double ns) {
        if (Double.isNaN(ns)) {
            return NONE;
        }
        return ns < 1e4 ? number(ns) + " ns" : ns < 1e7 ? number(ns / 1e3) + " us" : number(ns / 1e6) + " ms";
    }
}
