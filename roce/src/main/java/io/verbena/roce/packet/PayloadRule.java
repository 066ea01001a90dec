package io.verbena.roce.packet;

/// How many payload bytes, padding not counted, a packet may carry at a path MTU.
public enum PayloadRule {
    NONE(0, 0),
    EXACTLY_MTU(Limit.MTU, Limit.MTU),
    ONE_TO_MTU(1, Limit.MTU),
    UP_TO_MTU(0, Limit.MTU),
    /// An atomic write stores one word.
    EIGHT(8, 8),
    /// The reserved bytes of a congestion notification.
    SIXTEEN(16, 16);

    private final int least;
    private final int most;

    PayloadRule(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /// Whether a packet may carry so many payload bytes at that path MTU.
    public boolean allows(int payload, int mtu) {
        return payload >= (least == Limit.MTU ? mtu : least) && payload <= (most == Limit.MTU ? mtu : most);
    }

    /// Stands for the path MTU, which differs from queue pair to queue pair.
    private static final class Limit {
        static final int MTU = -1;
    }
}
