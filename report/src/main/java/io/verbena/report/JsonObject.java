package io.verbena.report;

import java.util.LinkedHashMap;

/// An object of a JSON document. Its fields keep their order.
public final class JsonObject extends LinkedHashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    public JsonObject() {}

    /// Adds a field, or replaces the one of that name.
    public JsonObject with(String name, Object value) {
        put(name, value);
        return this;
    }
}
