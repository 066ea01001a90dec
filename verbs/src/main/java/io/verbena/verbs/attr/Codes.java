package io.verbena.verbs.attr;

import java.util.function.ToIntFunction;

/// Finds enum constants by their C numbers.
final class Codes {
    private Codes() {}

    /// The constant with that number, else `unknown`.
    static <E> E find(E[] values, ToIntFunction<E> codeOf, int code, E unknown) {
        for (E value : values) {
            if (codeOf.applyAsInt(value) == code) {
                return value;
            }
        }
        return unknown;
    }

    /// The constant with that number; says which enum was asked when there is none.
    static <E> E require(E[] values, ToIntFunction<E> codeOf, int code, String cName) {
        E found = find(values, codeOf, code, null);
        if (found == null) {
            throw new IllegalArgumentException(code + " is no " + cName + " known here");
        }
        return found;
    }
}
