package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Ready to use: the active side has its queue pair ready and the passive side may send.
public record CmRtu(long transactionId, int localCommId, int remoteCommId, byte[] privateData) implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 224;

    private static final int PRIVATE_DATA_AT = 8;

    /// Fills the private data up with zeros.
    public CmRtu {
        privateData = Field.filled(AttributeId.RTU, privateData, PRIVATE_DATA_BYTES);
    }

    /// Without private data.
    public CmRtu(long transactionId, int localCommId, int remoteCommId) {
        this(transactionId, localCommId, remoteCommId, Field.EMPTY);
    }

    static CmRtu decode(long transactionId, MemorySegment p, long body) {
        return new CmRtu(
                transactionId,
                BigEndian.i32(p, body),
                BigEndian.i32(p, body + 4),
                Field.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.RTU, 0);
        BigEndian.i32(packet, body, localCommId);
        BigEndian.i32(packet, body + 4, remoteCommId);
        Field.write(packet, body + PRIVATE_DATA_AT, privateData);
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.RTU;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CmRtu that && Arrays.equals(toBytes(), that.toBytes());
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
