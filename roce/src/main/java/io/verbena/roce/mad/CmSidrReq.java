package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Service id resolution request: which datagram queue pair serves this?
///
/// @param requestId unique among the outstanding requests of *all* hosts; Linux tells requests apart by nothing else
public record CmSidrReq(long transactionId, int requestId, int partitionKey, long serviceId, byte[] privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 216;

    private static final int PRIVATE_DATA_AT = 16;

    /// Refuses numbers that do not fit their fields, and fills the private data up with zeros.
    public CmSidrReq {
        Field.fits("partitionKey", partitionKey, 16);
        privateData = Field.filled(AttributeId.SIDR_REQ, privateData, PRIVATE_DATA_BYTES);
    }

    static CmSidrReq decode(long transactionId, MemorySegment p, long body) {
        return new CmSidrReq(
                transactionId,
                BigEndian.i32(p, body),
                BigEndian.u16(p, body + 4),
                BigEndian.i64(p, body + 8),
                Field.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.SIDR_REQ, 0);
        BigEndian.i32(packet, body, requestId);
        BigEndian.u16(packet, body + 4, partitionKey);
        BigEndian.i64(packet, body + 8, serviceId);
        Field.write(packet, body + PRIVATE_DATA_AT, privateData);
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.SIDR_REQ;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CmSidrReq that && Arrays.equals(toBytes(), that.toBytes());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toBytes());
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
