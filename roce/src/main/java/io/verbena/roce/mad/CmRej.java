package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Reject.
///
/// @param localCommId 0 when the rejecting side never allocated one
/// @param reason a [RejectReason] number, or one from a later specification
/// @param additionalInfo what the reason says it carries, at most 72 bytes
public record CmRej(
        long transactionId,
        int localCommId,
        int remoteCommId,
        AnsweredMessage answered,
        int reason,
        byte[] additionalInfo,
        PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 148;
    public static final int ADDITIONAL_INFO_BYTES = 72;

    private static final int ADDITIONAL_INFO_AT = 12;
    private static final int PRIVATE_DATA_AT = 84;

    /// Refuses numbers that do not fit their fields, and fills the private data up with zeros.
    public CmRej {
        Field.fits("reason", reason, 16);
        additionalInfo = Field.limited("REJ additional information", additionalInfo, ADDITIONAL_INFO_BYTES);
        privateData = privateData.filled(AttributeId.REJ, PRIVATE_DATA_BYTES);
    }

    /// Without additional information and private data.
    public CmRej(long transactionId, int localCommId, int remoteCommId, AnsweredMessage answered, RejectReason reason) {
        this(transactionId, localCommId, remoteCommId, answered, reason.code(), Field.EMPTY, PrivateData.NONE);
    }

    /// The same rejection with other bytes about its reason.
    public CmRej withAdditionalInfo(byte[] info) {
        return new CmRej(transactionId, localCommId, remoteCommId, answered, reason, info, privateData);
    }

    /// The same rejection with other bytes for the program at the other end.
    public CmRej withPrivateData(byte[] data) {
        return new CmRej(
                transactionId, localCommId, remoteCommId, answered, reason, additionalInfo, PrivateData.of(data));
    }

    static CmRej decode(long transactionId, MemorySegment p, long body) {
        int infoLength = BigEndian.u8(p, body + 9) >>> 1;
        if (infoLength > ADDITIONAL_INFO_BYTES) {
            throw new MalformedMadException(
                    "REJ information length is %d, there is room for %d".formatted(infoLength, ADDITIONAL_INFO_BYTES));
        }
        return new CmRej(
                transactionId,
                BigEndian.i32(p, body),
                BigEndian.i32(p, body + 4),
                AnsweredMessage.of(BigEndian.u8(p, body + 8) >>> 6),
                BigEndian.u16(p, body + 10),
                Field.read(p, body + ADDITIONAL_INFO_AT, infoLength),
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.REJ, 0);
        BigEndian.i32(packet, body, localCommId);
        BigEndian.i32(packet, body + 4, remoteCommId);
        BigEndian.u8(packet, body + 8, answered.code() << 6);
        BigEndian.u8(packet, body + 9, additionalInfo.length << 1);
        BigEndian.u16(packet, body + 10, reason);
        Field.write(packet, body + ADDITIONAL_INFO_AT, additionalInfo);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    /// A copy of the bytes about the reason.
    @Override
    public byte[] additionalInfo() {
        return additionalInfo.clone();
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.REJ;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CmRej that && Arrays.equals(toBytes(), that.toBytes());
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
