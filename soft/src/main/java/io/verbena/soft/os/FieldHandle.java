package io.verbena.soft.os;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Finds the handle of a field, for ordered access to it.
public final class FieldHandle {
    private FieldHandle() {}

    /// The result belongs in a `static final` field, so that access through it costs no more than plain field access.
    ///
    /// @param owner the caller's own lookup, `in` the field's class where that is another one
    public static VarHandle of(MethodHandles.Lookup owner, String field, Class<?> type) {
        try {
            return owner.findVarHandle(owner.lookupClass(), field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
