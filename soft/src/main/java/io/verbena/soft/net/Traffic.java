package io.verbena.soft.net;

/// Fields of a packet's IP header: traffic class (IPv4: TOS), hop limit (IPv4: TTL) and IPv6 flow label, packed into a
/// long, so that queues hold them without an object.
public final class Traffic {
    /// Hop limit of RoCE, as the kernel's software device and the connection manager have it.
    public static final int DEFAULT_HOP_LIMIT = 64;

    /// Traffic class 0, hop limit 64, no flow label.
    public static final long DEFAULT = (long) DEFAULT_HOP_LIMIT << 32;

    private static final int LABEL_MASK = 0xF_FFFF;
    private static final int CLASS_AT = 20;
    private static final int HOP_LIMIT_AT = 32;

    private Traffic() {}

    /// @param hopLimit 1 to 255; 0, which no packet can travel with, means the default
    /// @param flowLabel of IPv6, 20 bits; 0 leaves it to the system
    public static long of(int trafficClass, int hopLimit, int flowLabel) {
        int hops = (hopLimit & 0xFF) == 0 ? DEFAULT_HOP_LIMIT : hopLimit & 0xFF;
        return (long) hops << HOP_LIMIT_AT | (long) (trafficClass & 0xFF) << CLASS_AT | flowLabel & LABEL_MASK;
    }

    public static int trafficClass(long traffic) {
        return (int) (traffic >>> CLASS_AT) & 0xFF;
    }

    public static int hopLimit(long traffic) {
        return (int) (traffic >>> HOP_LIMIT_AT) & 0xFF;
    }

    public static int flowLabel(long traffic) {
        return (int) traffic & LABEL_MASK;
    }

    /// Whether class and hop limit are the defaults that sockets are set to.
    static boolean isPlain(long traffic) {
        return (traffic & -1L << CLASS_AT) == DEFAULT;
    }
}
