package io.verbena.tools.trace;

/// A call on its way to the provider.
///
/// - `target`: the provider's object
/// - `arguments`: as the program gave them
/// - `result`: the provider's; null before it is there
record Call(Wrappers wrappers, Object target, Object[] arguments, Object result) {
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

    /// What the trace calls an object of the API: `CQ 1`, `QP 17`.
    String name(Object apiObject) {
        return wrappers.name(apiObject);
    }

    /// The name of what was called.
    String name() {
        return name(target);
    }

    /// The name of what the call gave.
    String made() {
        return name(result);
    }
}
