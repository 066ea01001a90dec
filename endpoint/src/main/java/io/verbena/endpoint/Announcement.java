package io.verbena.endpoint;

import java.lang.foreign.MemorySegment;

/// A long message that is still in the memory of its sender.
///
/// @param number of the call, for requests and replies
/// @param transfer the sender's number of it
record Announcement(int kind, long number, long transfer, long address, long length, int rkey) {
    private static final int TRANSFER_AT = MessageHeader.BYTES;
    private static final int ADDRESS_AT = TRANSFER_AT + 8;
    private static final int LENGTH_AT = ADDRESS_AT + 8;
    private static final int KEY_AT = LENGTH_AT + 8;

    static Announcement decode(int kind, long number, MemorySegment buffer) {
        return new Announcement(
                kind,
                number,
                buffer.get(MessageHeader.LONG_WORD, TRANSFER_AT),
                buffer.get(MessageHeader.LONG_WORD, ADDRESS_AT),
                buffer.get(MessageHeader.LONG_WORD, LENGTH_AT),
                buffer.get(MessageHeader.INT_WORD, KEY_AT));
    }

    /// What follows the header.
    static byte[] encode(long transfer, long address, long length, int rkey) {
        byte[] bytes = new byte[MessageHeader.LONG_BYTES];
        MemorySegment to = MemorySegment.ofArray(bytes);
        to.set(MessageHeader.LONG_WORD, 0, transfer);
        to.set(MessageHeader.LONG_WORD, 8, address);
        to.set(MessageHeader.LONG_WORD, 16, length);
        to.set(MessageHeader.INT_WORD, 24, rkey);
        return bytes;
    }
}
