package io.verbena.soft.engine;

import java.util.function.BooleanSupplier;

/// The world of engines that live under a virtual clock: waiting there means moving the clock.
public interface Simulation {
    /// Steps all engines until `ready` or the virtual time is over; returns whether it is ready.
    boolean runUntil(BooleanSupplier ready, long timeoutNs);
}
