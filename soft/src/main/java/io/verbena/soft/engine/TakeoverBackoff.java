package io.verbena.soft.engine;

/// How long a device's thread sleeps until it checks again whether the program drives the engine. A check costs some 50
/// microseconds of processor time. A late check leaves peers without an answer when the program has stopped driving.
final class TakeoverBackoff {
    static final long SHORTEST_NS = 1_000_000;
    static final long USUAL_NS = 16_000_000;

    /// On a machine with more threads than cores a program that polls is often away for several time slices. Taking
    /// over then only adds another thread, so after a takeover that came too early the thread waits longer, up to this.
    /// So it does for a program that only polls, which seldom stops.
    static final long LONGEST_NS = 64_000_000;

    /// A program that polls this often does little else.
    private static final long POLL_OF_SPINNER_NS = 10_000;

    private long intervalNs = SHORTEST_NS;
    private long sleepNs = SHORTEST_NS;

    /// The program drove the engine since the last check. Returns how long to sleep.
    long onDriven(long times) {
        boolean spins = times >= sleepNs / POLL_OF_SPINNER_NS;
        sleepNs = spins ? Math.max(intervalNs, Math.min(sleepNs * 2, LONGEST_NS)) : intervalNs;
        intervalNs = Math.max(intervalNs, Math.min(intervalNs * 2, USUAL_NS));
        return sleepNs;
    }

    /// The device's thread drove the engine until the program did again.
    void onTakeover(boolean tooEarly) {
        intervalNs = tooEarly ? Math.min(intervalNs * 2, LONGEST_NS) : SHORTEST_NS;
        sleepNs = intervalNs;
    }
}
