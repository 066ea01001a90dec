package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Traffic class and hop limit as control messages (`struct cmsghdr` of 64-bit Linux) beside a datagram.
final class ControlData {
    /// Two messages of one int each.
    static final int BYTES = 48;

    private static final int MESSAGE_BYTES = 24;
    private static final int LEVEL_AT = 8;
    private static final int TYPE_AT = 12;
    private static final int DATA_AT = 16;
    private static final int ALIGNMENT = 8;

    private static final int IPPROTO_IP = 0;
    private static final int IP_TOS = 1;
    private static final int IP_TTL = 2;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_FLOWINFO = 11;
    private static final int IPV6_HOPLIMIT = 52;
    private static final int IPV6_TCLASS = 67;

    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    private final boolean ipv4;

    ControlData(SocketAddresses addresses) {
        ipv4 = addresses.isIpv4();
    }

    /// Writes what a frame is to be sent with.
    void write(MemorySegment controls, long at, long traffic) {
        int level = ipv4 ? IPPROTO_IP : IPPROTO_IPV6;
        put(controls, at, level, ipv4 ? IP_TTL : IPV6_HOPLIMIT, Traffic.hopLimit(traffic));
        put(controls, at + MESSAGE_BYTES, level, ipv4 ? IP_TOS : IPV6_TCLASS, Traffic.trafficClass(traffic));
    }

    private static void put(MemorySegment controls, long at, int level, int type, int value) {
        controls.set(JAVA_LONG, at, DATA_AT + Integer.BYTES);
        controls.set(JAVA_INT, at + LEVEL_AT, level);
        controls.set(JAVA_INT, at + TYPE_AT, type);
        controls.set(JAVA_INT, at + DATA_AT, value);
    }

    /// Reads what a frame arrived with from `length` bytes that the kernel wrote; what it did not say is the default.
    long read(MemorySegment controls, long start, long length) {
        int trafficClass = 0;
        int hopLimit = Traffic.DEFAULT_HOP_LIMIT;
        int label = 0;
        long end = start + Math.min(length, BYTES);
        long at = start;
        while (end - at >= DATA_AT + 1) {
            int type = controls.get(JAVA_INT, at + TYPE_AT);
            long data = at + DATA_AT;
            switch (controls.get(JAVA_INT, at + LEVEL_AT) << 8 | type) {
                case IPPROTO_IP << 8 | IP_TOS -> trafficClass = controls.get(JAVA_BYTE, data);
                case IPPROTO_IP << 8 | IP_TTL, IPPROTO_IPV6 << 8 | IPV6_HOPLIMIT ->
                    hopLimit = controls.get(JAVA_INT, data);
                case IPPROTO_IPV6 << 8 | IPV6_FLOWINFO -> {
                    int flow = controls.get(NETWORK_INT, data);
                    trafficClass = flow >>> 20;
                    label = flow;
                }
                default -> {}
            }
            long message = controls.get(JAVA_LONG, at);
            at += Math.max(message + ALIGNMENT - 1 & -ALIGNMENT, MESSAGE_BYTES);
        }
        return Traffic.of(trafficClass, hopLimit, label);
    }
}
