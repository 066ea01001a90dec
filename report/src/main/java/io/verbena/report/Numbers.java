package io.verbena.report;

import java.util.Locale;

/// Numbers as people read them; the same in every locale.
public final class Numbers {
    /// An unknown value.
    public static final String NONE = "-";

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB"};

    private Numbers() {}

    /// Formats with two decimals.
    public static String fixed(double value) {
        return fixed(value, 2);
    }

    public static String fixed(double value, int decimals) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + decimals + "f", value) : NONE;
    }

    public static String fixed(Double value) {
        return value == null ? NONE : fixed(value.doubleValue());
    }

    /// Formats with at least three digits, without decimals from 1000 on and without trailing zeros: 0.00123, 1.5,
    /// 12345.
    public static String plain(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        int decimals = size >= 1000 || value == Math.rint(value) ? 0 : size >= 100 ? 1 : size >= 0.1 ? 2 : 5;
        String text = fixed(value, decimals);
        return decimals == 0 ? text : text.replaceFirst("\\.?0+$", "");
    }

    /// Formats a size: 64 B, 4 KiB, 1 MiB; 1500 B.
    public static String bytes(long bytes) {
        long value = bytes;
        int unit = 0;
        while (value >= 1024 && value % 1024 == 0 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return value + " " + UNITS[unit];
    }

    /// Formats with three digits, without decimals from 100 on: 0.123, 1.50, 12.5, 12345.
    public static String rounded(double value) {
        double size = Math.abs(value);
        return fixed(value, size == 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3);
    }

    /// Nanoseconds in the unit that fits, with three digits.
    public static String time(double ns) {
        var unit = TimeUnit.of(ns);
        return Double.isFinite(ns) ? rounded(ns / unit.ns) + " " + unit.text : NONE;
    }

    /// The units of measured times.
    public enum TimeUnit {
        NANOSECONDS(1, "ns"),
        MICROSECONDS(1e3, "us"),
        MILLISECONDS(1e6, "ms");

        private final double ns;
        private final String text;

        TimeUnit(double ns, String text) {
            this.ns = ns;
            this.text = text;
        }

        public double ns() {
            return ns;
        }

        /// The largest in which the time is at least 1.
        public static TimeUnit of(double ns) {
            return ns < MICROSECONDS.ns ? NANOSECONDS : ns < MILLISECONDS.ns ? MICROSECONDS : MILLISECONDS;
        }
    }
}
