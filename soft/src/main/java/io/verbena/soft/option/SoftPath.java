package io.verbena.soft.option;

/// The path of reliable connections of software devices.
public enum SoftPath {
    /// Through shared memory where both ends are of one user on one host, else over the network.
    AUTO,
    /// Over the network always.
    UDP,
    /// Through shared memory, or not at all.
    SHARED
}
