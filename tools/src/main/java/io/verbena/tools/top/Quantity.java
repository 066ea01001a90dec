package io.verbena.tools.top;

import java.util.Locale;

/// Numbers in few characters.
final class Quantity {
    private static final String UNITS = "kMGT";
    private static final long SECOND_NS = 1_000_000_000;

    private Quantity() {}

    /// `1 device`, `2 devices`, `10,000 devices`.
    static String of(long number, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
    }

    /// `0`, `12`, `1.2k`, `34k`, `5.6M`; `-` for NaN.
    static String count(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (value > 0 && value < 1) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        double rest = value;
        int unit = -1;
        while (rest >= 999.5 && unit < UNITS.length() - 1) {
            rest /= 1000;
            unit++;
        }
        if (unit < 0) {
            return Long.toString(Math.round(rest));
        }
        return String.format(Locale.ROOT, rest < 9.95 ? "%.1f%c" : "%.0f%c", rest, UNITS.charAt(unit));
    }

    /// `0`, `120ms`, `3.4s`, `59s`, `2m05s`, `3h20m`, `5d04h`.
    static String time(long ns) {
        long ms = ns / 1_000_000;
        long seconds = ns / SECOND_NS;
        if (ms == 0) {
            return "0";
        }
        if (ms < 1000) {
            return ms + "ms";
        }
        if (ms < 9950) {
            return String.format(Locale.ROOT, "%.1fs", ms / 1000.0);
        }
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60);
        }
        if (seconds < 86_400) {
            return String.format(Locale.ROOT, "%dh%02dm", seconds / 3600, seconds / 60 % 60);
        }
        return String.format(Locale.ROOT, "%dd%02dh", seconds / 86_400, seconds / 3600 % 24);
    }

    /// `12.3%`; `-` for NaN.
    static String percent(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f%%", value);
    }
}
