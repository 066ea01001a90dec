package io.verbena.tools.trace;

/// A call of a traced object.
///
/// - `target`: the provider's object
/// - `arguments`: as the program gave them
/// - `result`: what the provider returned; null before
record TracedCall(Wrappers wrappers, Object target, Object[] arguments, Object result) {
    <T> T target(Class<T> type) {
        return type.cast(target);
    }

    <T> T argument(int index, Class<T> type) {
        return type.cast(arguments[index]);
    }

    Object argument(int index) {
        return arguments[index];
    }

    /// The argument as text.
    String text(int index) {
        return String.valueOf(arguments[index]);
    }

    /// The name of an object of the API in the trace: `CQ 1`, `QP 17`.
    String name(Object apiObject) {
        return wrappers.name(apiObject);
    }

    /// The name of the called object.
    String name() {
        return name(target);
    }

    /// The name of the returned object.
    String made() {
        return name(result);
    }
}
