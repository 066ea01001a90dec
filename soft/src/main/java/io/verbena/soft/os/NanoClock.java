package io.verbena.soft.os;

/// A source of time: the system, or a test. Values compare by difference only.
@FunctionalInterface
public interface NanoClock {
    NanoClock SYSTEM = System::nanoTime;

    long nowNs();
}
