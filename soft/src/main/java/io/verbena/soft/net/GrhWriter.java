package io.verbena.soft.net;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Writes the global routing header (GRH): the 40 bytes in front of every datagram that a UD queue pair receives. On
/// RoCEv2 it is the packet's IP header. UDP sockets hide that header, so it is rebuilt from known fields.
///
/// IPv6 fills all of it. IPv4 fills the last 20 bytes, the others are zero, as with the kernel's software device.
/// Receivers distinguish the two by the version and the checksum, so the checksum must be right.
public final class GrhWriter {
    public static final int BYTES = 40;

    private static final int IPV4_AT = 20;
    private static final int IPV4_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int UDP_PROTOCOL = 17;
    private static final int DONT_FRAGMENT = 0x4000;

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private GrhWriter() {}

    /// Writes the GRH of a received frame.
    public static void write(Frame frame, MemorySegment memory, long at) {
        if (SocketAddresses.isIpv4(frame.sourceHigh(), frame.sourceLow())) {
            writeIpv4(frame, memory, at);
        } else {
            writeIpv6(frame, memory, at);
        }
    }

    private static void writeIpv4(Frame frame, MemorySegment memory, long at) {
        // Not by filling a slice, which may allocate an object.
        memory.set(LONG, at, 0);
        memory.set(LONG, at + 8, 0);
        memory.set(INT, at + 16, 0);
        long header = at + IPV4_AT;
        int length = IPV4_BYTES + UDP_BYTES + frame.length();
        memory.set(INT, header, 0x4500_0000 | Traffic.trafficClass(frame.traffic()) << 16 | length);
        memory.set(INT, header + 4, DONT_FRAGMENT);
        memory.set(INT, header + 8, Traffic.hopLimit(frame.traffic()) << 24 | UDP_PROTOCOL << 16);
        memory.set(INT, header + 12, (int) frame.sourceLow());
        memory.set(INT, header + 16, (int) frame.destinationLow());
        memory.set(SHORT, header + 10, (short) checksum(memory, header));
    }

    private static void writeIpv6(Frame frame, MemorySegment memory, long at) {
        long traffic = frame.traffic();
        int flow = Traffic.trafficClass(traffic) << 20 | Traffic.flowLabel(traffic);
        memory.set(INT, at, 0x6000_0000 | flow);
        int length = UDP_BYTES + frame.length();
        memory.set(INT, at + 4, length << 16 | UDP_PROTOCOL << 8 | Traffic.hopLimit(traffic));
        memory.set(LONG, at + 8, frame.sourceHigh());
        memory.set(LONG, at + 16, frame.sourceLow());
        memory.set(LONG, at + 24, frame.destinationHigh());
        memory.set(LONG, at + 32, frame.destinationLow());
    }

    private static int checksum(MemorySegment memory, long header) {
        int sum = 0;
        for (int i = 0; i < IPV4_BYTES; i += Short.BYTES) {
            sum += Short.toUnsignedInt(memory.get(SHORT, header + i));
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return ~(sum + (sum >>> 16)) & 0xFFFF;
    }
}
