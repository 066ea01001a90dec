package io.verbena.soft.cm;

/// The schedule of retransmissions of a message without an answer, with exponential backoff and a deadline. Linux
/// repeats every 4 to 6 seconds and gives up after more than a minute; here the first repetition comes after 100 ms,
/// and each later one after twice the time of the one before, up to 2 s.
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

    /// The time of the next repetition, after a message was sent now.
    long nextNs(long nowNs) {
        long nextNs = nowNs + intervalNs;
        intervalNs = Math.min(intervalNs * 2, LONGEST_NS);
        return earlier(nextNs, deadlineNs);
    }

    /// The peer asked for more time (MRA). It gets at most half of the time that is left, in case the answer gets lost;
    /// returns the time of the next repetition.
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
