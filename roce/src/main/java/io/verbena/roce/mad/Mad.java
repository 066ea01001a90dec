package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// The common 24-byte header of a management datagram, and its fixed size.
public final class Mad {
    /// Every MAD is this long; the payload of its packet is nothing else.
    public static final int BYTES = 256;

    public static final int HEADER_BYTES = 24;

    static final int BASE_VERSION = 1;
    static final int CM_CLASS = 0x07;
    static final int CM_CLASS_VERSION = 2;
    static final int SEND_METHOD = 0x03;

    private static final int TRANSACTION_AT = 8;
    private static final int ATTRIBUTE_AT = 16;
    private static final int MODIFIER_AT = 20;

    private Mad() {}

    /// Clears the MAD, writes its header and returns where the message body starts.
    static long begin(MemorySegment p, long at, long transactionId, AttributeId attribute, int modifier) {
        p.asSlice(at, BYTES).fill((byte) 0);
        BigEndian.u8(p, at, BASE_VERSION);
        BigEndian.u8(p, at + 1, CM_CLASS);
        BigEndian.u8(p, at + 2, CM_CLASS_VERSION);
        BigEndian.u8(p, at + 3, SEND_METHOD);
        BigEndian.i64(p, at + TRANSACTION_AT, transactionId);
        BigEndian.u16(p, at + ATTRIBUTE_AT, attribute.code());
        BigEndian.i32(p, at + MODIFIER_AT, modifier);
        return at + HEADER_BYTES;
    }

    /// Checks everything in front of the body and returns the message type.
    static AttributeId check(MemorySegment p, long at) {
        long available = p.byteSize() - at;
        if (at < 0 || available < BYTES) {
            throw new MalformedMadException("a MAD has %d bytes, here are %d".formatted(BYTES, Math.max(0, available)));
        }
        expect("base version", BASE_VERSION, BigEndian.u8(p, at));
        expect("management class", CM_CLASS, BigEndian.u8(p, at + 1));
        expect("class version", CM_CLASS_VERSION, BigEndian.u8(p, at + 2));
        expect("method", SEND_METHOD, BigEndian.u8(p, at + 3));
        return AttributeId.of(BigEndian.u16(p, at + ATTRIBUTE_AT));
    }

    static long transactionId(MemorySegment p, long at) {
        return BigEndian.i64(p, at + TRANSACTION_AT);
    }

    static int attributeModifier(MemorySegment p, long at) {
        return BigEndian.i32(p, at + MODIFIER_AT);
    }

    private static void expect(String field, int expected, int found) {
        if (found != expected) {
            throw new MalformedMadException("%s is %d, a CM MAD has %d".formatted(field, found, expected));
        }
    }
}
