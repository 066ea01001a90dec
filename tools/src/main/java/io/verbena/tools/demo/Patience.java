package io.verbena.tools.demo;

import java.time.Duration;

/// Timeouts, on usual and on slower machines: the system property `verbena.patience` is a factor for slow ones, such as
/// emulated machines.
final class Patience {
    private static final int SLOWNESS = Math.max(1, Integer.getInteger("verbena.patience", 1));

    /// For an answer of a running process.
    static final Duration ANSWER = Duration.ofSeconds(10L * SLOWNESS);
    /// For the start of the other process, on a busy machine.
    static final Duration START = Duration.ofSeconds(30L * SLOWNESS);
    /// For a report from the children. Longer than any timeout inside them, since their errors say more.
    static final Duration NEWS = Duration.ofSeconds(40L * SLOWNESS);

    private Patience() {}
}
