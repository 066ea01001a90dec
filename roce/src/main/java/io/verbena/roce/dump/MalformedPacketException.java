package io.verbena.roce.dump;

/// Bytes are not a RoCEv2 packet; the message says why.
public final class MalformedPacketException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// For a packet with that flaw.
    public MalformedPacketException(String message) {
        super(message);
    }
}
