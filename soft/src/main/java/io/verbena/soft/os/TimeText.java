package io.verbena.soft.os;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Parses times of options: a whole number and its unit, such as `50us`.
public final class TimeText {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ns|us|ms|s)");
    private static final Map<String, Long> NS_PER_UNIT =
            Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);

    private TimeText() {}

    /// The time in nanoseconds; -1 when the text is no time.
    public static long parseNs(String text) {
        Matcher time = TIME.matcher(text.trim());
        return time.matches() ? Long.parseLong(time.group(1)) * nsPer(time.group(2)) : -1;
    }

    public static long nsPer(String unit) {
        return NS_PER_UNIT.get(unit);
    }
}
