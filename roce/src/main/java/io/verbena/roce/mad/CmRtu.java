package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Ready to use: the active side has its queue pair ready and the passive side may send.
public record CmRtu(long transactionId, int localCommId, int remoteCommId, PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 224;

    private static final int PRIVATE_DATA_AT = 8;

    /// Fills the private data up with zeros.
    public CmRtu {
        privateData = privateData.filled(AttributeId.RTU, PRIVATE_DATA_BYTES);
    }

    /// Without private data.
    public CmRtu(long transactionId, int localCommId, int remoteCommId) {
        this(transactionId, localCommId, remoteCommId, PrivateData.NONE);
    }

    static CmRtu decode(long transactionId, MemorySegment p, long body) {
        return new CmRtu(
                transactionId,
                BigEndian.i32(p, body),
                BigEndian.i32(p, body + 4),
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.RTU, 0);
        BigEndian.i32(packet, body, localCommId);
        BigEndian.i32(packet, body + 4, remoteCommId);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.RTU;
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
