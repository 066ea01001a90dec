package io.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// A test class whose methods take the parameters of [RdmaExtension].
///
/// ```java
/// @RdmaTest
/// class EchoTest {
///     @Test
///     void shouldEcho(SimulatedFabric network) { ... }
/// }
/// ```
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RdmaExtension.class)
public @interface RdmaTest {}
