package io.verbena.soft.option;

/// The kind of socket of a device.
public enum SocketKind {
    /// The best that the system and the JVM's rights allow.
    BEST,
    /// A `DatagramChannel`, which needs no native access.
    NIO,
    /// System calls of Linux.
    LINUX
}
