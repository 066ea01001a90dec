package io.verbena.soft.engine;

/// When timers may run. Answers that are already in the socket come before the timers that wait for them: a process
/// that
/// was not scheduled for a while must not take its own absence for the peer's. So timers run when the socket is empty,
/// or
/// when frames have kept coming for long, in cycles without a pause between them. Owned by the engine.
final class ArrivalPace {
    /// Timers run at least this often, however many packets come in.
    private static final long EXPIRE_AT_LEAST_EVERY_NS = 10_000_000;

    /// When the socket was looked at last, and since when frames have been coming without a pause.
    private long lastNs;

    private long busySinceNs;

    ArrivalPace(long nowNs) {
        lastNs = nowNs;
        busySinceNs = nowNs;
    }

    long lastNs() {
        return lastNs;
    }

    /// The socket was looked at, and gave so many frames.
    boolean mayExpire(long nowNs, int received) {
        boolean wasAway = nowNs - lastNs > EXPIRE_AT_LEAST_EVERY_NS;
        lastNs = nowNs;
        if (received == 0 || wasAway) {
            busySinceNs = nowNs;
        }
        return received == 0 || nowNs - busySinceNs > EXPIRE_AT_LEAST_EVERY_NS;
    }
}
