package io.verbena.roce.dump;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// One frame of a capture file.
public final class PcapRecord {
    private static final int NO_IP = -1;
    private static final int ETHER_TYPE_AT = 12;
    private static final int SLL_TYPE_AT = 14;
    private static final int SLL2_BYTES = 20;
    private static final int VLAN_TAG_BYTES = 4;

    private final long timestampNs;
    private final int originalBytes;
    private final byte[] frame;
    private final int ipAt;

    PcapRecord(long timestampNs, int originalBytes, LinkType linkType, byte[] frame) {
        this.timestampNs = timestampNs;
        this.originalBytes = originalBytes;
        this.frame = frame;
        ipAt = switch (linkType) {
            case RAW -> 0;
            case ETHERNET -> findIp(ByteBuffer.wrap(frame), ETHER_TYPE_AT);
            case LINUX_SLL -> findIp(ByteBuffer.wrap(frame), SLL_TYPE_AT);
            case LINUX_SLL2 -> isIp(ByteBuffer.wrap(frame)) ? SLL2_BYTES : NO_IP;
        };
    }

    /// Nanoseconds since 1970.
    public long timestampNs() {
        return timestampNs;
    }

    /// The size on the wire; more than [#frame()] has when the capture cut frames short.
    public int originalBytes() {
        return originalBytes;
    }

    /// A copy of the captured bytes, link header included.
    public byte[] frame() {
        return frame.clone();
    }

    /// Whether the frame holds an IP packet.
    public boolean isIp() {
        return ipAt != NO_IP;
    }

    /// A copy from the IP header to where that header says the packet ends, without the padding of short Ethernet
    /// frames. Empty when this is no IP packet, shorter when the capture was.
    public byte[] ipPacket() {
        if (!isIp()) {
            return new byte[0];
        }
        int end = (int) Math.min(frame.length, (long) ipAt + claimedLength());
        return Arrays.copyOfRange(frame, ipAt, end);
    }

    private int claimedLength() {
        ByteBuffer bytes = ByteBuffer.wrap(frame, ipAt, frame.length - ipAt).slice();
        int version = bytes.hasRemaining() ? bytes.get(0) >>> 4 : 0;
        if (version == 4 && bytes.remaining() >= IpUdpHeader.IPV4_BYTES) {
            return Short.toUnsignedInt(bytes.getShort(2));
        }
        if (version == 6 && bytes.remaining() >= IpUdpHeader.IPV6_BYTES) {
            return IpUdpHeader.IPV6_BYTES + Short.toUnsignedInt(bytes.getShort(4));
        }
        return bytes.remaining();
    }

    private static boolean isIp(ByteBuffer frame) {
        int type = frame.limit() < SLL2_BYTES ? 0 : Short.toUnsignedInt(frame.getShort(0));
        return type == EtherType.IPV4 || type == EtherType.IPV6;
    }

    private static int findIp(ByteBuffer frame, int typeAt) {
        for (int at = typeAt; at + 2 <= frame.limit(); at += VLAN_TAG_BYTES) {
            int type = Short.toUnsignedInt(frame.getShort(at));
            if (type == EtherType.IPV4 || type == EtherType.IPV6) {
                return at + 2;
            }
            if (type != EtherType.VLAN && type != EtherType.SERVICE_VLAN) {
                return NO_IP;
            }
        }
        return NO_IP;
    }
}
