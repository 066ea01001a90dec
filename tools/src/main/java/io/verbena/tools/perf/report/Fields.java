package io.verbena.tools.perf.report;

import io.verbena.tools.program.ProgramException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The fields of a JSON object that another program may have written. A field of the wrong type is an error that names
/// it. All numbers here are counts or measurements: from 0 to [#LARGEST].
record Fields(String where, Object object) {
    private static final double LARGEST = 1e15;

    double number(String name) {
        Double value = numberOrNull(List.of(name));
        if (value == null) {
            throw wrong(name + " is missing");
        }
        return value;
    }

    /// Null when the field, or an object that contains it, is absent or null.
    Double numberOrNull(List<String> path) {
        Object value = at(path);
        return value == null ? null : number(path, value);
    }

    /// Empty when the field, or an object that contains it, is absent or null.
    List<Double> numbers(List<String> path) {
        return at(path) == null
                ? List.of()
                : list(path).stream().map(element -> number(path, element)).toList();
    }

    private Double number(List<String> path, Object value) {
        if (!(value instanceof Number number) || !(number.doubleValue() >= 0 && number.doubleValue() <= LARGEST)) {
            throw wrong(String.join(".", path) + " is no number from 0 to 1e15");
        }
        return number.doubleValue();
    }

    String text(String name) {
        if (!(at(List.of(name)) instanceof String text) || text.isBlank()) {
            throw wrong(name + " is no text");
        }
        return printable(text);
    }

    /// A document from elsewhere must not control the terminal.
    static String printable(String text) {
        return text.replaceAll("\\p{C}", "?");
    }

    List<?> list(String name) {
        return list(List.of(name));
    }

    private List<?> list(List<String> path) {
        if (!(at(path) instanceof List<?> list)) {
            throw wrong(String.join(".", path) + " is no list");
        }
        return list;
    }

    Map<String, Object> object(String name) {
        if (!(at(List.of(name)) instanceof Map<?, ?> map)) {
            throw wrong(name + " is no object");
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    private Object at(List<String> path) {
        Object value = object;
        for (String name : path) {
            if (value == null) {
                return null;
            }
            if (!(value instanceof Map<?, ?> map)) {
                throw wrong("there is something else where the object with " + name + " should be");
            }
            value = map.get(name);
        }
        return value;
    }

    ProgramException wrong(String what) {
        return new ProgramException(where + " is no result of 'verbena perf --json': " + what);
    }
}
