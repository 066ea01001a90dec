package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Message receipt acknowledgement: the answer takes longer, do not retransmit for a while.
///
/// @param serviceTimeout how long, as a [CmTimeout] code
public record CmMra(
        long transactionId,
        int localCommId,
        int remoteCommId,
        AnsweredMessage answered,
        int serviceTimeout,
        PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 222;

    private static final int PRIVATE_DATA_AT = 10;

    /// Refuses numbers that do not fit their fields, and fills the private data up with zeros.
    public CmMra {
        Field.fits("serviceTimeout", serviceTimeout, 5);
        privateData = privateData.filled(AttributeId.MRA, PRIVATE_DATA_BYTES);
    }

    /// Without private data.
    public CmMra(long transactionId, int localCommId, int remoteCommId, AnsweredMessage answered, int serviceTimeout) {
        this(transactionId, localCommId, remoteCommId, answered, serviceTimeout, PrivateData.NONE);
    }

    static CmMra decode(long transactionId, MemorySegment p, long body) {
        return new CmMra(
                transactionId,
                BigEndian.i32(p, body),
                BigEndian.i32(p, body + 4),
                AnsweredMessage.of(BigEndian.u8(p, body + 8) >>> 6),
                BigEndian.u8(p, body + 9) >>> 3,
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.MRA, 0);
        BigEndian.i32(packet, body, localCommId);
        BigEndian.i32(packet, body + 4, remoteCommId);
        BigEndian.u8(packet, body + 8, answered.code() << 6);
        BigEndian.u8(packet, body + 9, serviceTimeout << 3);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.MRA;
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
