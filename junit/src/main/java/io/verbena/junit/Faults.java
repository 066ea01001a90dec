package io.verbena.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/// What goes wrong with the packets of a test method, or of all methods of a class: on all links of its simulated
/// network, and on all devices of [LoopbackDevices#open()]. It is an error where a test takes neither.
///
/// ```java
/// @Test
/// @Faults("loss=0.1,reorder=0.01,delay=10us..1ms")
/// void shouldEchoOverALossyNetwork(SimulatedFabric network) { ... }
/// ```
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RdmaExtension.class)
public @interface Faults {
    /// The text that [io.verbena.soft.fault.FaultPlan#parse] reads.
    String value();
}
