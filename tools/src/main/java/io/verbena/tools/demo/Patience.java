package io.verbena.tools.demo;

import java.time.Duration;

/// How long to wait, on a usual machine and on slower ones: the system property `verbena.patience` says how many times
/// slower than usual this one may be, an emulated one for example.
final class Patience {
    private static final int SLOWNESS = Math.max(1, Integer.getInteger("verbena.patience", 1));

    /// For an answer of a process that runs.
    static final Duration ANSWER = Duration.ofSeconds(10L * SLOWNESS);
    /// For the other process to start as well, on a busy machine.
    static final Duration START = Duration.ofSeconds(30L * SLOWNESS);
    /// For any news of the two processes: longer than any wait inside them, which tell more.
    static final Duration NEWS = Duration.ofSeconds(40L * SLOWNESS);

    private Patience() {}
}
