package io.verbena.verbs.attr;

/// With respect to which other accesses a device's atomics are atomic. Counterpart of `enum ibv_atomic_cap`; [#code] is
/// the C value.
public enum AtomicCapability {
    /// The device has none.
    NONE,
    /// Against other atomics through the same device.
    DEVICE,
    /// Against the whole host, its CPUs included.
    GLOBAL;

    /// The number of this value in C.
    public int code() {
        return ordinal();
    }

    /// Throws IllegalArgumentException for a number that is not listed here.
    public static AtomicCapability ofCode(int code) {
        return Codes.require(values(), AtomicCapability::code, code, "ibv_atomic_cap");
    }
}
