package io.verbena.soft.engine;

/// Checks regularly, while there are connections over the local path, whether the processes of their peers still exist.
/// Seldom while nothing is sent or received, and then without waking a thread that sleeps, if the end of a peer's
/// process wakes it. Owned by the engine.
final class LocalPeerTimer {
    /// How soon the sudden end of a process on this host is noticed while connections are used, and while they are not.
    private static final long EVERY_NS = 100_000_000;

    private static final long QUIET_EVERY_NS = 500_000_000;

    /// Checks without any activity, after which they become rare. What falls quiet after a while has done so then.
    private static final int PATIENCE = 10;

    private final Engine engine;
    private final Timer timer = Timer.running(this::checkPeers);

    private long activity;
    private int quietChecks;

    LocalPeerTimer(Engine engine) {
        this.engine = engine;
    }

    /// There is a new connection, or the process of a peer has ended: what it did before is still taken first.
    void checkSoon() {
        quietChecks = 0;
        if (engine.lazyTimers().size() > 0) {
            engine.lazyTimers().cancel(timer);
        }
        arm();
    }

    private void arm() {
        if (engine.local().count() > 0 && !timer.isArmed()) {
            boolean isQuiet = quietChecks == PATIENCE;
            Timers timers = isQuiet && engine.local().areNeighboursWatched() ? engine.lazyTimers() : engine.timers();
            timers.arm(timer, engine.nowNs() + (isQuiet ? QUIET_EVERY_NS : EVERY_NS));
        }
    }

    private void checkPeers(long nowNs) {
        engine.local().checkPeers();
        long fresh = engine.local().activity();
        quietChecks = fresh == activity ? Math.min(quietChecks + 1, PATIENCE) : 0;
        activity = fresh;
        arm();
    }
}
