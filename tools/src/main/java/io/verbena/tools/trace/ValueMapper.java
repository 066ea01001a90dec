package io.verbena.tools.trace;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Replaces objects of the API, also inside lists, optionals, arrays and the API's records. A value without such
/// objects is returned as it is.
///
/// - `exchange`: returns its argument when that is not replaced
record ValueMapper(UnaryOperator<Object> exchange) {
    private static final String API = "io.verbena.verbs";

    Object convert(Object value) {
        return switch (value) {
            case null -> null;
            case List<?> list -> list(list);
            case Optional<?> optional -> optional.isEmpty() ? optional : Optional.of(convert(optional.get()));
            case Object[] array -> array(array);
            case Record row when isOfApi(row.getClass()) -> row(row);
            default -> exchange.apply(value);
        };
    }

    private static boolean isOfApi(Class<?> type) {
        return type.getPackageName().startsWith(API) && Modifier.isPublic(type.getModifiers());
    }

    private List<?> list(List<?> list) {
        List<Object> converted = new ArrayList<>(list.size());
        boolean differs = false;
        for (Object element : list) {
            Object other = convert(element);
            differs |= other != element;
            converted.add(other);
        }
        return differs ? converted : list;
    }

    private Object[] array(Object[] array) {
        Object[] converted = array;
        for (int i = 0; i < array.length; i++) {
            Object other = convert(array[i]);
            if (other != array[i]) {
                converted = converted == array ? array.clone() : converted;
                converted[i] = other;
            }
        }
        return converted;
    }

    private Record row(Record row) {
        RecordComponent[] components = row.getClass().getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        boolean differs = false;
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                Object value = components[i].getAccessor().invoke(row);
                values[i] = convert(value);
                differs |= values[i] != value;
            }
            if (!differs) {
                return row;
            }
            Constructor<? extends Record> constructor = row.getClass().getConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record of the API cannot be taken apart: " + row, e);
        }
    }
}
