package io.verbena.soft.cm;

/// When to repeat a message that has no answer yet, and when to give up. Linux repeats every 4 to 6 seconds and gives
/// up after more than a minute; here the first repetition comes after 100 ms, each later one after twice the time of
/// the one before, up to 2 s, and the end is a deadline.
final class Retransmission {
    static final long FIRST_NS = 100_000_000L;
    static final long LONGEST_NS = 2_000_000_000L;

    private long deadlineNs;
    private long intervalNs;

    /// Starts over; returns when to repeat first.
    long start(long nowNs, long timeoutNs) {
        deadlineNs = nowNs + timeoutNs;
        intervalNs = FIRST_NS;
        return nextNs(nowNs);
    }

    /// When to look again after a message was sent now.
    long nextNs(long nowNs) {
        long nextNs = nowNs + intervalNs;
        intervalNs = Math.min(intervalNs * 2, LONGEST_NS);
        return earlier(nextNs, deadlineNs);
    }

    /// The peer asked for patience. It is granted, but half of what is left until the deadline is kept, in case the
    /// answer gets lost; returns when to look again.
    long postpone(long nowNs, long patienceNs) {
        long halfLeftNs = Math.max(FIRST_NS, (deadlineNs - nowNs) / 2);
        return earlier(nowNs + Math.min(patienceNs, halfLeftNs), deadlineNs);
    }

    long leftNs(long nowNs) {
        return Math.max(0, deadlineNs - nowNs);
    }

    boolean isOver(long nowNs) {
        return deadlineNs - nowNs <= 0;
    }

    private static long earlier(long a, long b) {
        return a - b <= 0 ? a : b;
    }
}
