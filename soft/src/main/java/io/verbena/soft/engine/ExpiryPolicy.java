package io.verbena.soft.engine;

/// Decides when timers may expire. Replies that are already in the socket come before the timers that wait for them: a
/// process that was not scheduled for a while must not mistake its own absence for the peer's. So timers expire when
/// the socket is empty, or when frames have kept coming for long without a pause. Owned by the engine.
final class ExpiryPolicy {
    /// Timers expire at least this often, however many packets arrive.
    private static final long EXPIRE_AT_LEAST_EVERY_NS = 10_000_000;

    /// When the socket was last read, and since when frames have been arriving without a pause.
    private long lastNs;

    private long busySinceNs;

    ExpiryPolicy(long nowNs) {
        lastNs = nowNs;
        busySinceNs = nowNs;
    }

    long lastNs() {
        return lastNs;
    }

    /// @param received how many frames were just read from the socket
    boolean mayExpire(long nowNs, int received) {
        boolean wasAway = nowNs - lastNs > EXPIRE_AT_LEAST_EVERY_NS;
        lastNs = nowNs;
        if (received == 0 || wasAway) {
            busySinceNs = nowNs;
        }
        return received == 0 || nowNs - busySinceNs > EXPIRE_AT_LEAST_EVERY_NS;
    }
}
