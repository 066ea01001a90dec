package io.verbena.verbs.attr;

/// Against whom atomics of a device are atomic. Counterpart of `enum ibv_atomic_cap`.
public enum AtomicCapability {
    /// The device has none.
    NONE,
    /// Against other atomics through the same device.
    DEVICE,
    /// Against the whole host, its CPUs included.
    GLOBAL
}
