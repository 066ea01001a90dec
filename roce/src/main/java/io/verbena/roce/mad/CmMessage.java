package io.verbena.roce.mad;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// A message of the connection manager.
///
/// The messages are values: two are equal when they encode to the same bytes. Private data has a fixed size
/// per message and its length is not transmitted, so shorter data is filled up with zeros when a message is
/// made.
public sealed interface CmMessage permits CmReq, CmRep, CmRtu, CmRej, CmMra, CmDreq, CmDrep, CmSidrReq, CmSidrRep {

    /// Matches a reply to its request in traces; Linux does not compare it.
    long transactionId();

    /// The kind of message.
    AttributeId attributeId();

    /// The private data, always of the full size the message has room for.
    PrivateData privateData();

    /// Writes all 256 bytes.
    void encode(MemorySegment packet, long at);

    /// Reads a whole MAD.
    ///
    /// @throws MalformedMadException naming the field that is wrong
    static CmMessage decode(MemorySegment packet, long at) {
        AttributeId attribute = Mad.check(packet, at);
        long transactionId = Mad.transactionId(packet, at);
        int modifier = Mad.attributeModifier(packet, at);
        long body = at + Mad.HEADER_BYTES;
        return switch (attribute) {
            case REQ -> CmReq.decode(transactionId, modifier, packet, body);
            case REP -> CmRep.decode(transactionId, modifier, packet, body);
            case RTU -> CmRtu.decode(transactionId, packet, body);
            case REJ -> CmRej.decode(transactionId, packet, body);
            case MRA -> CmMra.decode(transactionId, packet, body);
            case DREQ -> CmDreq.decode(transactionId, packet, body);
            case DREP -> CmDrep.decode(transactionId, packet, body);
            case SIDR_REQ -> CmSidrReq.decode(transactionId, packet, body);
            case SIDR_REP -> CmSidrRep.decode(transactionId, modifier, packet, body);
        };
    }

    /// Every field as `name=value`, for traces.
    default List<String> fields() {
        return MessageText.fields((Record) this);
    }

    /// The 256 bytes in a new array.
    default byte[] toBytes() {
        byte[] bytes = new byte[Mad.BYTES];
        encode(MemorySegment.ofArray(bytes), 0);
        return bytes;
    }
}
