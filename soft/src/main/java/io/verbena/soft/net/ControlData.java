package io.verbena.soft.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Control messages (`struct cmsghdr` of 64-bit Linux) of a datagram: traffic class, hop limit, and the length of its
/// frames.
final class ControlData {
    /// Three messages of one int each, or less.
    static final int BYTES = 72;

    static final int TRAFFIC_BYTES = 48;
    static final int FRAMES_BYTES = 24;

    private static final int MESSAGE_BYTES = 24;
    private static final int LEVEL_AT = 8;
    private static final int TYPE_AT = 12;
    private static final int DATA_AT = 16;
    private static final int ALIGNMENT = 8;

    private static final int IPPROTO_IP = 0;
    private static final int IP_TOS = 1;
    private static final int IP_TTL = 2;
    private static final int IPPROTO_UDP = 17;
    private static final int UDP_SEGMENT = 103;
    private static final int UDP_GRO = 104;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_FLOWINFO = 11;
    private static final int IPV6_HOPLIMIT = 52;
    private static final int IPV6_TCLASS = 67;

    private static final ValueLayout.OfInt NETWORK_INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);

    private final boolean ipv4;

    /// The values read last.
    private long traffic = Traffic.DEFAULT;

    private int frameLength;

    ControlData(SocketAddresses addresses) {
        ipv4 = addresses.isIpv4();
    }

    /// Writes traffic class and hop limit of a datagram to send: [#TRAFFIC_BYTES].
    void writeTraffic(MemorySegment controls, long at, long newTraffic) {
        int level = ipv4 ? IPPROTO_IP : IPPROTO_IPV6;
        put(controls, at, level, ipv4 ? IP_TTL : IPV6_HOPLIMIT, Traffic.hopLimit(newTraffic));
        put(controls, at + MESSAGE_BYTES, level, ipv4 ? IP_TOS : IPV6_TCLASS, Traffic.trafficClass(newTraffic));
    }

    private static void put(MemorySegment controls, long at, int level, int type, int value) {
        controls.set(JAVA_LONG, at, DATA_AT + Integer.BYTES);
        controls.set(JAVA_INT, at + LEVEL_AT, level);
        controls.set(JAVA_INT, at + TYPE_AT, type);
        controls.set(JAVA_INT, at + DATA_AT, value);
    }

    /// Writes the length of the frames into which the system splits a datagram: [#FRAMES_BYTES].
    static void writeFrames(MemorySegment controls, long at, int length) {
        controls.set(JAVA_LONG, at, DATA_AT + Short.BYTES);
        controls.set(JAVA_INT, at + LEVEL_AT, IPPROTO_UDP);
        controls.set(JAVA_INT, at + TYPE_AT, UDP_SEGMENT);
        controls.set(JAVA_SHORT, at + DATA_AT, (short) length);
    }

    /// Reads the control messages of a received datagram from `length` bytes that the kernel wrote. Missing values
    /// become defaults.
    void read(MemorySegment controls, long start, long length) {
        int trafficClass = 0;
        int hopLimit = Traffic.DEFAULT_HOP_LIMIT;
        int label = 0;
        frameLength = 0;
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
                case IPPROTO_UDP << 8 | UDP_GRO -> frameLength = controls.get(JAVA_INT, data);
                default -> {}
            }
            long message = controls.get(JAVA_LONG, at);
            at += Math.max(message + ALIGNMENT - 1 & -ALIGNMENT, MESSAGE_BYTES);
        }
        traffic = Traffic.of(trafficClass, hopLimit, label);
    }

    long traffic() {
        return traffic;
    }

    /// Length of the datagram's frames, except for the last one; 0 when it is one frame.
    int frameLength() {
        return frameLength;
    }
}
