package io.verbena.tools.perf.report;

import java.util.Locale;

/// Numbers as people read them; the same in every locale.
final class Numbers {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB"};

    private Numbers() {}

    /// Formats with two decimals; `-` for an unknown value.
    static String fixed(double value) {
        return fixed(value, 2);
    }

    static String fixed(double value, int decimals) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + decimals + "f", value) : "-";
    }

    static String fixed(Double value) {
        return value == null ? "-" : fixed(value.doubleValue());
    }

    /// Formats with at least three digits, without decimals from 1000 on and without trailing zeros: 0.00123, 1.5,
    /// 12345.
    static String plain(double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        double size = Math.abs(value);
        int decimals = size >= 1000 || value == Math.rint(value) ? 0 : size >= 100 ? 1 : size >= 0.1 ? 2 : 5;
        String text = fixed(value, decimals);
        return decimals == 0 ? text : text.replaceFirst("\\.?0+$", "");
    }

    /// Formats a size: 64 B, 4 KiB, 1 MiB; 1500 B.
    static String bytes(long bytes) {
        long value = bytes;
        int unit = 0;
        while (value >= 1024 && value % 1024 == 0 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return value + " " + UNITS[unit];
    }
}
