package io.verbena.sockets.protocol;

/// The peer sent something that the protocol does not allow. The connection cannot go on.
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
