package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Service id resolution request: which datagram queue pair serves this?
///
/// @param requestId unique among the outstanding requests of *all* hosts; Linux tells requests apart by nothing else
public record CmSidrReq(long transactionId, int requestId, int partitionKey, long serviceId, PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 216;

    private static final int PRIVATE_DATA_AT = 16;

    /// Refuses numbers that do not fit their fields, and fills the private data up with zeros.
    public CmSidrReq {
        Field.fits("partitionKey", partitionKey, 16);
        privateData = privateData.filled(AttributeId.SIDR_REQ, PRIVATE_DATA_BYTES);
    }

    static CmSidrReq decode(long transactionId, MemorySegment p, long body) {
        return new CmSidrReq(
                transactionId,
                BigEndian.i32(p, body),
                BigEndian.u16(p, body + 4),
                BigEndian.i64(p, body + 8),
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.SIDR_REQ, 0);
        BigEndian.i32(packet, body, requestId);
        BigEndian.u16(packet, body + 4, partitionKey);
        BigEndian.i64(packet, body + 8, serviceId);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.SIDR_REQ;
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
