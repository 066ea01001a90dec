package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Connection reply, from the passive side.
///
/// @param responderResources reads and atomics the *sender* can serve at a time
/// @param initiatorDepth reads and atomics the *sender* will have outstanding at most
/// @param startingPsn the number the *receiver* of this message must send first
/// @param vendorId with `attributeModifier`, the vendor options of an enhanced connection; both 0 otherwise
/// @param localEecn end-to-end context; the target queue pair of an XRC connection
public record CmRep(
        long transactionId,
        int attributeModifier,
        int localCommId,
        int remoteCommId,
        int localQkey,
        int localQpn,
        int vendorId,
        int localEecn,
        int startingPsn,
        int responderResources,
        int initiatorDepth,
        int targetAckDelay,
        int failoverAccepted,
        boolean endToEndFlowControl,
        int rnrRetryCount,
        boolean sharedReceiveQueue,
        long localCaGuid,
        PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 196;

    private static final int PRIVATE_DATA_AT = 36;

    /// Refuses numbers that do not fit their fields, and fills the private data up with zeros.
    public CmRep {
        Field.fits("localQpn", localQpn, 24);
        Field.fits("vendorId", vendorId, 24);
        Field.fits("localEecn", localEecn, 24);
        Field.fits("startingPsn", startingPsn, 24);
        Field.fits("responderResources", responderResources, 8);
        Field.fits("initiatorDepth", initiatorDepth, 8);
        Field.fits("targetAckDelay", targetAckDelay, 5);
        Field.fits("failoverAccepted", failoverAccepted, 2);
        Field.fits("rnrRetryCount", rnrRetryCount, 3);
        privateData = privateData.filled(AttributeId.REP, PRIVATE_DATA_BYTES);
    }

    /// Starts with the values a reliable connection over RoCE uses.
    public static CmRepBuilder builder() {
        return new CmRepBuilder();
    }

    /// A builder that starts with the values of this message.
    public CmRepBuilder toBuilder() {
        return new CmRepBuilder(this);
    }

    static CmRep decode(long transactionId, int attributeModifier, MemorySegment p, long body) {
        int delay = BigEndian.u8(p, body + 26);
        int retries = BigEndian.u8(p, body + 27);
        return new CmRep(
                transactionId,
                attributeModifier,
                BigEndian.i32(p, body),
                BigEndian.i32(p, body + 4),
                BigEndian.i32(p, body + 8),
                BigEndian.u24(p, body + 12),
                BigEndian.u8(p, body + 15) << 16 | BigEndian.u8(p, body + 19) << 8 | BigEndian.u8(p, body + 23),
                BigEndian.u24(p, body + 16),
                BigEndian.u24(p, body + 20),
                BigEndian.u8(p, body + 24),
                BigEndian.u8(p, body + 25),
                delay >>> 3,
                delay >>> 1 & 3,
                (delay & 1) != 0,
                retries >>> 5,
                (retries & 0x10) != 0,
                BigEndian.i64(p, body + 28),
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.REP, attributeModifier);
        BigEndian.i32(packet, body, localCommId);
        BigEndian.i32(packet, body + 4, remoteCommId);
        BigEndian.i32(packet, body + 8, localQkey);
        BigEndian.u24(packet, body + 12, localQpn);
        BigEndian.u8(packet, body + 15, vendorId >>> 16);
        BigEndian.u24(packet, body + 16, localEecn);
        BigEndian.u8(packet, body + 19, vendorId >>> 8);
        BigEndian.u24(packet, body + 20, startingPsn);
        BigEndian.u8(packet, body + 23, vendorId);
        BigEndian.u8(packet, body + 24, responderResources);
        BigEndian.u8(packet, body + 25, initiatorDepth);
        BigEndian.u8(packet, body + 26, targetAckDelay << 3 | failoverAccepted << 1 | (endToEndFlowControl ? 1 : 0));
        BigEndian.u8(packet, body + 27, rnrRetryCount << 5 | (sharedReceiveQueue ? 0x10 : 0));
        BigEndian.i64(packet, body + 28, localCaGuid);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.REP;
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
