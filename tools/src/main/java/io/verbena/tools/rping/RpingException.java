package io.verbena.tools.rping;

/// What went wrong, in one line for people.
final class RpingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean disconnected;

    private RpingException(String message, boolean disconnected, Throwable cause) {
        super(message, cause);
        this.disconnected = disconnected;
    }

    RpingException(String message) {
        this(message, false, null);
    }

    RpingException(String message, Throwable cause) {
        this(message, false, cause);
    }

    /// The peer left, which is no error when it was done.
    static RpingException disconnected(String message) {
        return new RpingException(message, true, null);
    }

    boolean isDisconnected() {
        return disconnected;
    }
}
