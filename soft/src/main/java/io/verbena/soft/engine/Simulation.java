package io.verbena.soft.engine;

import java.util.function.BooleanSupplier;

/// A set of engines under one virtual clock. A wait advances the clock.
public interface Simulation {
    /// Runs the simulation until `ready` is true or the virtual time is over. Returns whether `ready` is true. Any
    /// thread may evaluate `ready`, so it must not have side effects.
    boolean await(BooleanSupplier ready, long timeoutNs);
}
