package io.verbena.rdmacore.lib;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A method that [Library#bind] implements by a C function: the name of the function, and how it fails. Its parameters
/// and its result are those of the method; pointers are longs.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface CFunction {
    /// The name in C.
    String value();

    /// Whether the function returns -1 or NULL when it fails and leaves the error number in `errno`. The method then
    /// returns that number, negated: no address is negative. Otherwise the method returns what the function returns.
    boolean setsErrno() default false;
}
