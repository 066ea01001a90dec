package io.verbena.conformance;

import io.verbena.conformance.bench.Pairing;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The pair of devices that the contracts in this class, or nested in it, meet. The pairing has a constructor without
/// parameters.
///
/// ```java
/// @RunOn(MyPairing.class)
/// class MyDeviceTest {
///     @Nested
///     class Posting extends PostingContract {}
/// }
/// ```
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface RunOn {
    Class<? extends Pairing> value();
}
