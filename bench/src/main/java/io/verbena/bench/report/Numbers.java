package io.verbena.bench.report;

import io.verbena.bench.run.Spread;
import java.util.Locale;

/// Numbers for people: three digits.
public final class Numbers {
    static final String NONE = "-";

    private Numbers() {}

    public static String number(double value) {
        if (Double.isNaN(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        String format = size == 0 || size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    public static String spread(Spread spread) {
        return spread.isEmpty() ? NONE : "[" + number(spread.low()) + ".." + number(spread.high()) + "]";
    }

    /// Nanoseconds in the unit that fits.
    public static String time(double ns) {
        return Double.isNaN(ns) ? NONE : number(ns / Unit.of(ns).ns) + " " + Unit.of(ns).text;
    }

    /// Quartiles of times, in the unit that fits their median.
    public static String times(Spread spread) {
        double unit = Unit.of(spread.median()).ns;
        return spread(new Spread(spread.median() / unit, spread.low() / unit, spread.high() / unit, spread.count()));
    }

    private enum Unit {
        NANOSECONDS(1, "ns"),
        MICROSECONDS(1e3, "us"),
        MILLISECONDS(1e6, "ms");

        private final double ns;
        private final String text;

        Unit(double ns, String text) {
            this.ns = ns;
            this.text = text;
        }

        static Unit of(double ns) {
            return ns < MICROSECONDS.ns ? NANOSECONDS : ns < MILLISECONDS.ns ? MICROSECONDS : MILLISECONDS;
        }
    }
}
