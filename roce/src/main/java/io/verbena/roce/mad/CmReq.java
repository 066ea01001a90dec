package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Connection request, from the active side.
///
/// @param serviceId who should answer, see [ServiceId]
/// @param localCaGuid with `localCommId` the key by which a retransmitted request is recognised
/// @param responderResources reads and atomics the *sender* can serve at a time
/// @param initiatorDepth reads and atomics the *sender* will have outstanding at most
/// @param startingPsn the number the *receiver* of this message must send first
/// @param pathMtu MTU code 1 to 5 for 256 to 4096 bytes; the reply cannot change it
/// @param vendorId with `attributeModifier`, the vendor options of an enhanced connection; both 0 otherwise
public record CmReq(
        long transactionId,
        int attributeModifier,
        int localCommId,
        int vendorId,
        long serviceId,
        long localCaGuid,
        int localQkey,
        int localQpn,
        int responderResources,
        int localEecn,
        int initiatorDepth,
        int remoteEecn,
        int remoteCmResponseTimeout,
        int transportServiceType,
        boolean endToEndFlowControl,
        int startingPsn,
        int localCmResponseTimeout,
        int retryCount,
        int partitionKey,
        int pathMtu,
        boolean rdcExists,
        int rnrRetryCount,
        int maxCmRetries,
        boolean sharedReceiveQueue,
        int extendedTransportType,
        CmPath primaryPath,
        CmPath alternatePath,
        PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 92;

    /// Transport service types.
    public static final int RC = 0;

    public static final int UC = 1;
    public static final int XRC = 3;

    private static final int PRIMARY_PATH_AT = 52;
    private static final int ALTERNATE_PATH_AT = 96;
    private static final int PRIVATE_DATA_AT = 140;

    /// Refuses numbers that do not fit their fields, and fills the private data up with zeros.
    public CmReq {
        Field.fits("vendorId", vendorId, 24);
        Field.fits("localQpn", localQpn, 24);
        Field.fits("responderResources", responderResources, 8);
        Field.fits("localEecn", localEecn, 24);
        Field.fits("initiatorDepth", initiatorDepth, 8);
        Field.fits("remoteEecn", remoteEecn, 24);
        Field.fits("remoteCmResponseTimeout", remoteCmResponseTimeout, 5);
        Field.fits("transportServiceType", transportServiceType, 2);
        Field.fits("startingPsn", startingPsn, 24);
        Field.fits("localCmResponseTimeout", localCmResponseTimeout, 5);
        Field.fits("retryCount", retryCount, 3);
        Field.fits("partitionKey", partitionKey, 16);
        Field.fits("pathMtu", pathMtu, 4);
        Field.fits("rnrRetryCount", rnrRetryCount, 3);
        Field.fits("maxCmRetries", maxCmRetries, 4);
        Field.fits("extendedTransportType", extendedTransportType, 3);
        privateData = privateData.filled(AttributeId.REQ, PRIVATE_DATA_BYTES);
    }

    /// Starts with the values a reliable connection over RoCE uses.
    public static CmReqBuilder builder() {
        return new CmReqBuilder();
    }

    /// A builder that starts with the values of this message.
    public CmReqBuilder toBuilder() {
        return new CmReqBuilder(this);
    }

    static CmReq decode(long transactionId, int attributeModifier, MemorySegment p, long body) {
        int timeouts = BigEndian.u8(p, body + 43);
        int retries = BigEndian.u8(p, body + 47);
        int mtu = BigEndian.u8(p, body + 50);
        int cmRetries = BigEndian.u8(p, body + 51);
        return new CmReq(
                transactionId,
                attributeModifier,
                BigEndian.i32(p, body),
                BigEndian.u24(p, body + 5),
                BigEndian.i64(p, body + 8),
                BigEndian.i64(p, body + 16),
                BigEndian.i32(p, body + 28),
                BigEndian.u24(p, body + 32),
                BigEndian.u8(p, body + 35),
                BigEndian.u24(p, body + 36),
                BigEndian.u8(p, body + 39),
                BigEndian.u24(p, body + 40),
                timeouts >>> 3,
                timeouts >>> 1 & 3,
                (timeouts & 1) != 0,
                BigEndian.u24(p, body + 44),
                retries >>> 3,
                retries & 7,
                BigEndian.u16(p, body + 48),
                mtu >>> 4,
                (mtu & 8) != 0,
                mtu & 7,
                cmRetries >>> 4,
                (cmRetries & 8) != 0,
                cmRetries & 7,
                CmPath.decode(p, body + PRIMARY_PATH_AT),
                CmPath.decode(p, body + ALTERNATE_PATH_AT),
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.REQ, attributeModifier);
        BigEndian.i32(packet, body, localCommId);
        BigEndian.u24(packet, body + 5, vendorId);
        BigEndian.i64(packet, body + 8, serviceId);
        BigEndian.i64(packet, body + 16, localCaGuid);
        BigEndian.i32(packet, body + 28, localQkey);
        BigEndian.u24(packet, body + 32, localQpn);
        BigEndian.u8(packet, body + 35, responderResources);
        BigEndian.u24(packet, body + 36, localEecn);
        BigEndian.u8(packet, body + 39, initiatorDepth);
        BigEndian.u24(packet, body + 40, remoteEecn);
        BigEndian.u8(
                packet,
                body + 43,
                remoteCmResponseTimeout << 3 | transportServiceType << 1 | (endToEndFlowControl ? 1 : 0));
        BigEndian.u24(packet, body + 44, startingPsn);
        BigEndian.u8(packet, body + 47, localCmResponseTimeout << 3 | retryCount);
        BigEndian.u16(packet, body + 48, partitionKey);
        BigEndian.u8(packet, body + 50, pathMtu << 4 | (rdcExists ? 8 : 0) | rnrRetryCount);
        BigEndian.u8(packet, body + 51, maxCmRetries << 4 | (sharedReceiveQueue ? 8 : 0) | extendedTransportType);
        primaryPath.encode(packet, body + PRIMARY_PATH_AT);
        alternatePath.encode(packet, body + ALTERNATE_PATH_AT);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.REQ;
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
