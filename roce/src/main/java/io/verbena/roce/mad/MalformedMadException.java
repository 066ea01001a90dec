package io.verbena.roce.mad;

/// Received bytes are not a connection manager MAD; the message names the field and its value.
public final class MalformedMadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// For a message with that flaw.
    public MalformedMadException(String message) {
        super(message);
    }
}
