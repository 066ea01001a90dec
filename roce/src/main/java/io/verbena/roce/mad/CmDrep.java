package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Disconnect reply.
public record CmDrep(long transactionId, int localCommId, int remoteCommId, PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 224;

    private static final int PRIVATE_DATA_AT = 8;

    /// Fills the private data up with zeros.
    public CmDrep {
        privateData = privateData.filled(AttributeId.DREP, PRIVATE_DATA_BYTES);
    }

    /// Without private data.
    public CmDrep(long transactionId, int localCommId, int remoteCommId) {
        this(transactionId, localCommId, remoteCommId, PrivateData.NONE);
    }

    static CmDrep decode(long transactionId, MemorySegment p, long body) {
        return new CmDrep(
                transactionId,
                BigEndian.i32(p, body),
                BigEndian.i32(p, body + 4),
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.DREP, 0);
        BigEndian.i32(packet, body, localCommId);
        BigEndian.i32(packet, body + 4, remoteCommId);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.DREP;
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
