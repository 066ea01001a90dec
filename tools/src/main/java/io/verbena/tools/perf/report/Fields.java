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
        Object value = at(path);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            throw wrong(String.join(".", path) + " is no list");
        }
        return list.stream().map(element -> number(path, element)).toList();
    }

    private Double number(List<String> path, Object value) {
        if (!(value instanceof Number number) || !isSane(number.doubleValue())) {
            throw wrong(String.join(".", path) + " is no number from 0 to 1e15");
        }
        return number.doubleValue();
    }

    private static boolean isSane(double number) {
        return number >= 0 && number <= LARGEST;
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
        if (!(at(List.of(name)) instanceof List<?> list)) {
            throw wrong(name + " is no list");
        }
        return list;
    }

    Map<String, Object> object(String name) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (!(at(List.of(name)) instanceof Map<?, ?> map)) {
            throw wrong(name + " is no object");
        }
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
