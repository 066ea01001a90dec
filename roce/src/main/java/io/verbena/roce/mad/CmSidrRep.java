package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Service id resolution reply: the queue pair and the key to show it.
///
/// @param additionalInfo where to look instead, after a redirection; at most 72 bytes
/// @param vendorId with `attributeModifier`, the vendor options of an enhanced connection; both 0 otherwise
public record CmSidrRep(
        long transactionId,
        int attributeModifier,
        int requestId,
        SidrStatus status,
        byte[] additionalInfo,
        int vendorId,
        int qpn,
        long serviceId,
        int qkey,
        PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 136;
    public static final int ADDITIONAL_INFO_BYTES = 72;

    private static final int ADDITIONAL_INFO_AT = 24;
    private static final int PRIVATE_DATA_AT = 96;

    /// Refuses numbers that do not fit their fields, and fills the private data up with zeros.
    public CmSidrRep {
        Field.fits("vendorId", vendorId, 24);
        Field.fits("qpn", qpn, 24);
        additionalInfo = Field.limited("SIDR_REP additional information", additionalInfo, ADDITIONAL_INFO_BYTES);
        privateData = privateData.filled(AttributeId.SIDR_REP, PRIVATE_DATA_BYTES);
    }

    /// Without vendor options and additional information.
    public CmSidrRep(
            long transactionId,
            int requestId,
            SidrStatus status,
            int qpn,
            long serviceId,
            int qkey,
            PrivateData privateData) {
        this(transactionId, 0, requestId, status, Field.EMPTY, 0, qpn, serviceId, qkey, privateData);
    }

    static CmSidrRep decode(long transactionId, int attributeModifier, MemorySegment p, long body) {
        int infoLength = BigEndian.u8(p, body + 5);
        if (infoLength > ADDITIONAL_INFO_BYTES) {
            throw new MalformedMadException("SIDR_REP information length is %d, there is room for %d"
                    .formatted(infoLength, ADDITIONAL_INFO_BYTES));
        }
        return new CmSidrRep(
                transactionId,
                attributeModifier,
                BigEndian.i32(p, body),
                SidrStatus.of(BigEndian.u8(p, body + 4)),
                Field.read(p, body + ADDITIONAL_INFO_AT, infoLength),
                BigEndian.u16(p, body + 6) << 8 | BigEndian.u8(p, body + 11),
                BigEndian.u24(p, body + 8),
                BigEndian.i64(p, body + 12),
                BigEndian.i32(p, body + 20),
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.SIDR_REP, attributeModifier);
        BigEndian.i32(packet, body, requestId);
        BigEndian.u8(packet, body + 4, status.code());
        BigEndian.u8(packet, body + 5, additionalInfo.length);
        BigEndian.u16(packet, body + 6, vendorId >>> 8);
        BigEndian.u24(packet, body + 8, qpn);
        BigEndian.u8(packet, body + 11, vendorId);
        BigEndian.i64(packet, body + 12, serviceId);
        BigEndian.i32(packet, body + 20, qkey);
        Field.write(packet, body + ADDITIONAL_INFO_AT, additionalInfo);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    /// A copy of the bytes about the status.
    @Override
    public byte[] additionalInfo() {
        return additionalInfo.clone();
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.SIDR_REP;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CmSidrRep that && Arrays.equals(toBytes(), that.toBytes());
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
