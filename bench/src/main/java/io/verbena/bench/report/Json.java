package io.verbena.bench.report;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// Writes maps, lists, strings, numbers and booleans as JSON. NaN is written as null.
public final class Json {
    private final StringBuilder text = new StringBuilder();

    private Json() {}

    public static String of(Object value) {
        Json json = new Json();
        json.value(value, 0);
        return json.text.append('\n').toString();
    }

    private void value(Object value, int depth) {
        switch (value) {
            case null -> text.append("null");
            case Map<?, ?> map -> object(map, depth);
            case List<?> list -> array(list, depth);
            case Double number ->
                text.append(Double.isNaN(number) || Double.isInfinite(number) ? "null" : number.toString());
            case Number number -> text.append(number);
            case Boolean truth -> text.append(truth);
            default -> string(value.toString());
        }
    }

    private void object(Map<?, ?> map, int depth) {
        text.append('{');
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<?, ?> entry = entries.next();
            line(depth + 1);
            string(entry.getKey().toString());
            text.append(": ");
            value(entry.getValue(), depth + 1);
            text.append(entries.hasNext() ? "," : "");
        }
        line(map.isEmpty() ? -1 : depth);
        text.append('}');
    }

    private void array(List<?> list, int depth) {
        text.append('[');
        Iterator<?> values = list.iterator();
        while (values.hasNext()) {
            line(depth + 1);
            value(values.next(), depth + 1);
            text.append(values.hasNext() ? "," : "");
        }
        line(list.isEmpty() ? -1 : depth);
        text.append(']');
    }

    private void line(int depth) {
        if (depth >= 0) {
            text.append('\n').repeat("  ", depth);
        }
    }

    private void string(String raw) {
        text.append('"');
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
