package io.verbena.roce.mad;

/// Five-bit timeout codes, which stand for 4.096 µs times a power of two.
public final class CmTimeout {
    public static final int MAX_CODE = 31;

    private static final long UNIT_NS = 4096;

    private CmTimeout() {}

    /// The time of a code: 4.096 µs · 2^code.
    public static long nanoseconds(int code) {
        Field.fits("timeout code", code, 5);
        return UNIT_NS << code;
    }

    /// The smallest code that lasts at least `ns`, or the largest there is.
    public static int code(long ns) {
        int code = 0;
        while (code < MAX_CODE && UNIT_NS << code < ns) {
            code++;
        }
        return code;
    }

    /// The local ACK timeout of a path: twice its packet life time plus the delay of the far adapter, rounded the way
    /// Linux rounds it. All three are codes.
    public static int ackTimeout(int targetAckDelay, int packetLifeTime) {
        int roundTrip = packetLifeTime + 1;
        // Adding two powers of two needs one more step only when they are about equal.
        int larger = Math.max(roundTrip, targetAckDelay);
        int smaller = Math.min(roundTrip, targetAckDelay);
        return Math.min(MAX_CODE, smaller >= larger - 1 ? larger + 1 : larger);
    }
}
