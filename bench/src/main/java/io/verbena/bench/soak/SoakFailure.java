package io.verbena.bench.soak;

/// A violation that a correct device never causes, or a wait that took too long; the message says what.
final class SoakFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    SoakFailure(String message) {
        super(message);
    }

    SoakFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /// The failure of another thread. A failure of this type is returned with its own message.
    static SoakFailure of(String where, Throwable e) {
        return e instanceof SoakFailure && e.getCause() == null
                ? new SoakFailure(where + ": " + e.getMessage())
                : new SoakFailure(where + ": " + e, e);
    }
}
