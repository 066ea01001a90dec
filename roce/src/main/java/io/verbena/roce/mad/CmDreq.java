package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// Disconnect request.
///
/// @param remoteQpn the queue pair of the *recipient*; Linux ignores a request that names another one
public record CmDreq(long transactionId, int localCommId, int remoteCommId, int remoteQpn, PrivateData privateData)
        implements CmMessage {
    public static final int PRIVATE_DATA_BYTES = 220;

    private static final int PRIVATE_DATA_AT = 12;

    /// Refuses numbers that do not fit their fields, and fills the private data up with zeros.
    public CmDreq {
        Field.fits("remoteQpn", remoteQpn, 24);
        privateData = privateData.filled(AttributeId.DREQ, PRIVATE_DATA_BYTES);
    }

    /// Without private data.
    public CmDreq(long transactionId, int localCommId, int remoteCommId, int remoteQpn) {
        this(transactionId, localCommId, remoteCommId, remoteQpn, PrivateData.NONE);
    }

    static CmDreq decode(long transactionId, MemorySegment p, long body) {
        return new CmDreq(
                transactionId,
                BigEndian.i32(p, body),
                BigEndian.i32(p, body + 4),
                BigEndian.u24(p, body + 8),
                PrivateData.read(p, body + PRIVATE_DATA_AT, PRIVATE_DATA_BYTES));
    }

    @Override
    public void encode(MemorySegment packet, long at) {
        long body = Mad.begin(packet, at, transactionId, AttributeId.DREQ, 0);
        BigEndian.i32(packet, body, localCommId);
        BigEndian.i32(packet, body + 4, remoteCommId);
        BigEndian.u24(packet, body + 8, remoteQpn);
        privateData.write(packet, body + PRIVATE_DATA_AT);
    }

    @Override
    public AttributeId attributeId() {
        return AttributeId.DREQ;
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
