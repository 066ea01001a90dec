package io.verbena.soft.engine;

/// Checks regularly, while there are connections over the local path, whether the processes of their peers still exist.
/// Owned by the engine.
final class LocalPeerTimer {
    /// How soon the sudden end of a process on this host is noticed.
    private static final long EVERY_NS = 100_000_000;

    private final Engine engine;
    private final Timer timer = Timer.running(this::checkPeers);

    LocalPeerTimer(Engine engine) {
        this.engine = engine;
    }

    void arm() {
        if (engine.local().count() > 0 && !timer.isArmed()) {
            engine.timers().arm(timer, engine.nowNs() + EVERY_NS);
        }
    }

    private void checkPeers(long nowNs) {
        engine.local().checkPeers();
        arm();
    }
}
