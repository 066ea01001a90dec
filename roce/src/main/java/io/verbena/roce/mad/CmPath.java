package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// One of the two paths a REQ describes. RoCE has no LIDs, and no alternate path either: that one is [#NONE].
///
/// Addresses are two longs in GID form: an IPv4 address a.b.c.d is 0 and `0x0000_ffff_aabb_ccdd`.
///
/// @param packetRate 0 for whatever the port runs at
/// @param localAckTimeout the ACK timeout for this path, as a [CmTimeout] code
public record CmPath(
        int localLid,
        int remoteLid,
        long localGidHi,
        long localGidLo,
        long remoteGidHi,
        long remoteGidLo,
        int flowLabel,
        int packetRate,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        boolean subnetLocal,
        int localAckTimeout) {
    public static final int BYTES = 44;

    /// All zeros; Linux takes a LID other than 0 for an alternate path.
    public static final CmPath NONE = new CmPath(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, 0);

    private static final int PERMISSIVE_LID = 0xFFFF;
    private static final int DEFAULT_HOP_LIMIT = 64;
    private static final int DEFAULT_ACK_TIMEOUT = 19;

    /// Refuses numbers that do not fit their fields.
    public CmPath {
        Field.fits("localLid", localLid, 16);
        Field.fits("remoteLid", remoteLid, 16);
        Field.fits("flowLabel", flowLabel, 20);
        Field.fits("packetRate", packetRate, 6);
        Field.fits("trafficClass", trafficClass, 8);
        Field.fits("hopLimit", hopLimit, 8);
        Field.fits("serviceLevel", serviceLevel, 4);
        Field.fits("localAckTimeout", localAckTimeout, 5);
    }

    /// A routed path between two addresses, with the defaults of Linux.
    public static CmPath between(long localGidHi, long localGidLo, long remoteGidHi, long remoteGidLo) {
        return new CmPath(
                PERMISSIVE_LID,
                PERMISSIVE_LID,
                localGidHi,
                localGidLo,
                remoteGidHi,
                remoteGidLo,
                0,
                0,
                0,
                DEFAULT_HOP_LIMIT,
                0,
                false,
                DEFAULT_ACK_TIMEOUT);
    }

    /// The same path with another flow label.
    public CmPath withFlowLabel(int value) {
        return with(value, trafficClass, localAckTimeout);
    }

    /// The same path with another traffic class.
    public CmPath withTrafficClass(int value) {
        return with(flowLabel, value, localAckTimeout);
    }

    /// The same path with another acknowledgement timeout, a [CmTimeout] code.
    public CmPath withLocalAckTimeout(int value) {
        return with(flowLabel, trafficClass, value);
    }

    private CmPath with(int otherFlowLabel, int otherTrafficClass, int otherAckTimeout) {
        return new CmPath(
                localLid,
                remoteLid,
                localGidHi,
                localGidLo,
                remoteGidHi,
                remoteGidLo,
                otherFlowLabel,
                packetRate,
                otherTrafficClass,
                hopLimit,
                serviceLevel,
                subnetLocal,
                otherAckTimeout);
    }

    static CmPath decode(MemorySegment p, long at) {
        int flowAndRate = BigEndian.i32(p, at + 36);
        int level = BigEndian.u8(p, at + 42);
        return new CmPath(
                BigEndian.u16(p, at),
                BigEndian.u16(p, at + 2),
                BigEndian.i64(p, at + 4),
                BigEndian.i64(p, at + 12),
                BigEndian.i64(p, at + 20),
                BigEndian.i64(p, at + 28),
                flowAndRate >>> 12,
                flowAndRate & 0x3F,
                BigEndian.u8(p, at + 40),
                BigEndian.u8(p, at + 41),
                level >>> 4,
                (level & 8) != 0,
                BigEndian.u8(p, at + 43) >>> 3);
    }

    void encode(MemorySegment p, long at) {
        BigEndian.u16(p, at, localLid);
        BigEndian.u16(p, at + 2, remoteLid);
        BigEndian.i64(p, at + 4, localGidHi);
        BigEndian.i64(p, at + 12, localGidLo);
        BigEndian.i64(p, at + 20, remoteGidHi);
        BigEndian.i64(p, at + 28, remoteGidLo);
        BigEndian.i32(p, at + 36, flowLabel << 12 | packetRate);
        BigEndian.u8(p, at + 40, trafficClass);
        BigEndian.u8(p, at + 41, hopLimit);
        BigEndian.u8(p, at + 42, serviceLevel << 4 | (subnetLocal ? 8 : 0));
        BigEndian.u8(p, at + 43, localAckTimeout << 3);
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
