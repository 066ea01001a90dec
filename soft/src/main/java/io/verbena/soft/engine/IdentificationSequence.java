package io.verbena.soft.engine;

/// The IPv4 identifications of one source: the last one, and the expected next ones.
final class IdentificationSequence {
    /// The most frames in one datagram that the system splits. A socket that does not count numbers them from 0.
    private static final int SEGMENTS = 64;

    /// How many packets may be lost in a row.
    private static final int AHEAD = 64;

    /// By how many packets a packet may be overtaken. Linux increments its counter by one for a datagram that it
    /// splits, but numbers the frames onwards from there. So the next datagram begins up to 63 before the last frame.
    private static final int BEHIND = SEGMENTS + 32;

    /// How many packets in sequence make a source known.
    private static final int ENOUGH = 4;

    /// The shortest clock tick of Linux. For each tick the identification of soft-RoCE may advance by one.
    private static final long TICK_NS = 1_000_000;

    /// Less than the usual retry count of requests.
    private static final int MOST_REFUSED = 6;

    private static final int NONE = -1;
    private static final int MASK = 0xFFFF;

    private final long key;
    private int last = NONE;
    private long lastNs;
    /// Whether all identifications so far were below [#SEGMENTS].
    private boolean segmentsOnly = true;

    private int inSequence;
    /// Packets dropped in a row because they were out of sequence, and the last of them.
    private int refused;

    private int dropped = NONE;
    private long droppedNs;

    IdentificationSequence(long key) {
        this.key = key;
    }

    long key() {
        return key;
    }

    long silentNs(long nowNs) {
        return nowNs - lastNs;
    }

    boolean isKnown() {
        return inSequence >= ENOUGH;
    }

    /// Whether the identification is 0 or the number of a segment, from a source that sent nothing else.
    boolean countsSegments(int identification) {
        return segmentsOnly && identification < SEGMENTS;
    }

    /// Whether the source sent an identification that is no number of a segment.
    boolean counts() {
        return !segmentsOnly;
    }

    boolean expects(int identification, long nowNs) {
        if (last == NONE) {
            return false;
        }
        return segmentsOnly
                ? identification < SEGMENTS || isNear(last, identification, AHEAD)
                : isNear(last, identification, AHEAD + ticks(lastNs, nowNs));
    }

    private static long ticks(long fromNs, long toNs) {
        return (toNs - fromNs) / TICK_NS;
    }

    private static boolean isNear(int from, int identification, long ahead) {
        return (identification - from + BEHIND & MASK) <= BEHIND + ahead;
    }

    /// Continues the sequence from this identification.
    void follow(int identification, long nowNs) {
        refused = 0;
        boolean expected = expects(identification, nowNs);
        inSequence = expected ? Math.min(inSequence + 1, ENOUGH) : 0;
        segmentsOnly = identification < SEGMENTS && (segmentsOnly || !expected);
        boolean overtaken = expected && (last - identification & MASK) <= BEHIND;
        if (!overtaken || segmentsOnly) {
            last = identification;
        }
        lastNs = nowNs;
    }

    /// For an identification out of sequence: whether it continues from one that was dropped. When nothing came since,
    /// it is usually the retransmission, after a time in which the counter of soft-RoCE may step on. A source that
    /// jumps repeatedly is no longer known, so that its retransmissions get through.
    boolean resumesWith(int identification, long nowNs) {
        long silentTicks = segmentsOnly || droppedNs - lastNs <= 0 ? 0 : ticks(droppedNs, nowNs);
        boolean resumes = dropped != NONE && isNear(dropped, identification, AHEAD + silentTicks);
        dropped = resumes ? NONE : identification;
        droppedNs = nowNs;
        if (!resumes && ++refused == MOST_REFUSED) {
            inSequence = 0;
        }
        return resumes;
    }
}
