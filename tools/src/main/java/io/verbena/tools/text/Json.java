package io.verbena.tools.text;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Writes maps, lists, strings, numbers and booleans as JSON; anything else as its text.
public final class Json {
    private static final String INDENT = "  ";

    private Json() {}

    /// An object from names and values in turns; keeps their order.
    public static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    public static String write(Object value) {
        var out = new StringBuilder();
        append(out, value, "\n");
        return out.toString();
    }

    /// As [#write], on one line.
    public static String line(Object value) {
        var out = new StringBuilder();
        append(out, value, "");
        return out.toString();
    }

    private static void append(StringBuilder out, Object value, String newLine) {
        switch (value) {
            case null -> out.append("null");
            case Boolean b -> out.append(b);
            // JSON knows neither NaN nor infinity
            case Double d -> out.append(Double.isFinite(d) ? number(d) : "null");
            case Number n -> out.append(n);
            case Map<?, ?> map -> appendAll(out, map.entrySet(), newLine, '{', '}');
            // one line: long rows of numbers are for programs
            case List<?> list
            when list.stream().allMatch(Number.class::isInstance) -> {
                append(out.append('['), list);
                out.append(']');
            }
            case List<?> list -> appendAll(out, list, newLine, '[', ']');
            case Map.Entry<?, ?> entry -> {
                appendText(out, String.valueOf(entry.getKey()));
                append(out.append(": "), entry.getValue(), newLine);
            }
            default -> appendText(out, String.valueOf(value));
        }
    }

    private static void appendAll(StringBuilder out, Iterable<?> values, String newLine, char open, char close) {
        out.append(open);
        String inner = newLine.isEmpty() ? "" : newLine + INDENT;
        Iterator<?> each = values.iterator();
        boolean any = each.hasNext();
        while (each.hasNext()) {
            append(out.append(inner), each.next(), inner);
            out.append(each.hasNext() ? "," : "");
        }
        out.append(any ? newLine : "").append(close);
    }

    private static void append(StringBuilder out, List<?> numbers) {
        String comma = "";
        for (Object number : numbers) {
            append(out.append(comma), number, "");
            comma = ", ";
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.6g", value)
                        .replaceFirst("(\\.\\d*?)0+$", "$1")
                        .replaceFirst("\\.$", "");
    }

    private static void appendText(StringBuilder out, String text) {
        out.append('"');
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        out.append('"');
    }
}
