package io.verbena.soft.engine;

/// How long a device's own thread sleeps until it looks again whether the program drives the engine. A look takes the
/// processor from somebody for some 50 microseconds; who looks late leaves peers without an answer when the program
/// has stopped.
final class LookPace {
    static final long SHORTEST_NS = 1_000_000;
    static final long USUAL_NS = 16_000_000;

    /// On a machine with more threads than cores a program that polls is often away for several time slices.
    /// Stepping in then only adds another thread to the crowd, so who steps in too early waits longer the next
    /// time, up to this. And a program that does nothing but poll will seldom stop just now.
    static final long LONGEST_NS = 64_000_000;

    /// A program that polls this often does little else.
    private static final long POLL_OF_SPINNER_NS = 10_000;

    private long lookNs = SHORTEST_NS;
    private long sleepNs = SHORTEST_NS;

    /// The program drove the engine so many times since the last look; returns how long to sleep.
    long onDriven(long times) {
        boolean spins = times >= sleepNs / POLL_OF_SPINNER_NS;
        sleepNs = spins ? Math.max(lookNs, Math.min(sleepNs * 2, LONGEST_NS)) : lookNs;
        lookNs = Math.max(lookNs, Math.min(lookNs * 2, USUAL_NS));
        return sleepNs;
    }

    /// The thread drove the engine itself, until the program did again.
    void onTurn(boolean tooEarly) {
        lookNs = tooEarly ? Math.min(lookNs * 2, LONGEST_NS) : SHORTEST_NS;
        sleepNs = lookNs;
    }
}
