package io.verbena.roce.packet;

/// The fixed numbers of RoCEv2.
public final class RoceConstants {
    /// Destination UDP port of every packet, requests and responses alike.
    public static final int UDP_PORT = 4791;

    /// The default partition, as a full member.
    public static final int DEFAULT_PARTITION_KEY = 0xFFFF;

    /// The general services queue pair, which carries the connection manager's MADs.
    public static final int GSI_QP = 1;

    public static final int GSI_QKEY = 0x8001_0000;

    /// Destination queue pair of every multicast datagram.
    public static final int MULTICAST_QP = 0xFF_FFFF;

    public static final int ICRC_BYTES = 4;

    public static final long MAX_MESSAGE_BYTES = 1L << 31;

    private RoceConstants() {}
}
