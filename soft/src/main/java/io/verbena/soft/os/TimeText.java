package io.verbena.soft.os;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Times as options say them: a whole number and its unit, such as `50us`.
public final class TimeText {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ns|us|ms|s)");
    private static final Map<String, Long> NS_PER_UNIT =
            Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);

    private TimeText() {}

    /// In nanoseconds; -1 for what is no time.
    public static long parseNs(String text) {
        Matcher time = TIME.matcher(text.trim());
        return time.matches() ? Long.parseLong(time.group(1)) * nsPer(time.group(2)) : -1;
    }

    public static long nsPer(String unit) {
        return NS_PER_UNIT.get(unit);
    }
}
