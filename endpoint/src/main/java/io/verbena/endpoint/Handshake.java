package io.verbena.endpoint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// What the two sides tell each other when they connect, in the private data of the connection manager: 16 bytes in
/// network order.
///
/// @param credits how many messages the peer may send before it gets credits back
/// @param bufferBytes the longest SEND that the receive buffers take, header included
/// @param longMessages how many long messages the peer may have announced that this side has not read
record Handshake(int credits, int bufferBytes, int longMessages) {
    static final int BYTES = 16;
    static final int VERSION = 1;

    private static final int MAGIC = 0x5645_5054; // "VEPT"
    private static final int VERSION_AT = 4;
    private static final int MOST_REASON_BYTES = 140;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .put((byte) 0)
                .putShort((short) credits)
                .putInt(bufferBytes)
                .putShort((short) longMessages)
                .array();
    }

    /// @throws IllegalArgumentException with the reason, when the bytes are not those of a peer that this side can talk
    ///     to
    static Handshake decode(byte[] privateData) {
        if (privateData.length < BYTES || ByteBuffer.wrap(privateData).getInt() != MAGIC) {
            throw new IllegalArgumentException("the peer does not speak the endpoint protocol; use Endpoint on both"
                    + " sides, or the verbs on both");
        }
        int version = privateData[VERSION_AT] & 0xFF;
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "the peer speaks version %d of the endpoint protocol, this side %d; use the same"
                                    .formatted(version, VERSION)
                            + " version of Verbena on both sides");
        }
        ByteBuffer rest = ByteBuffer.wrap(privateData, VERSION_AT + 2, BYTES - VERSION_AT - 2);
        Handshake peer = new Handshake(rest.getShort() & 0xFFFF, rest.getInt(), rest.getShort() & 0xFFFF);
        if (peer.credits < 1 || peer.bufferBytes < EndpointOptions.LEAST_BUFFER_BYTES || peer.longMessages < 1) {
            throw new IllegalArgumentException("the peer offers " + peer + ", with which no message could be sent");
        }
        return peer;
    }

    /// The reason of a rejection, for the peer's error message.
    static byte[] encodeReason(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MOST_REASON_BYTES);
        return ByteBuffer.allocate(VERSION_AT + 2 + length)
                .putInt(MAGIC)
                .put((byte) VERSION)
                .put((byte) length)
                .put(text, 0, length)
                .array();
    }

    /// The reason that a peer gave; empty when it is none of ours.
    static String decodeReason(byte[] privateData) {
        if (privateData.length < VERSION_AT + 2 || ByteBuffer.wrap(privateData).getInt() != MAGIC) {
            return "";
        }
        int from = VERSION_AT + 2;
        int length = Math.min(privateData[VERSION_AT + 1] & 0xFF, privateData.length - from);
        return new String(Arrays.copyOfRange(privateData, from, from + length), StandardCharsets.UTF_8);
    }
}
