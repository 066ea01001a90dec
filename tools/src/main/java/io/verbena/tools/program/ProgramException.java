package io.verbena.tools.program;

/// An error with a message of one line for people.
public final class ProgramException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean disconnected;

    private ProgramException(String message, boolean disconnected, Throwable cause) {
        super(message, cause);
        this.disconnected = disconnected;
    }

    public ProgramException(String message) {
        this(message, false, null);
    }

    public ProgramException(String message, Throwable cause) {
        this(message, false, cause);
    }

    /// Throws unless `kept`.
    public static void require(boolean kept, String otherwise) {
        if (!kept) {
            throw new ProgramException(otherwise);
        }
    }

    /// The peer disconnected, which is no error when it was done.
    public static ProgramException disconnected(String message) {
        return new ProgramException(message, true, null);
    }

    public boolean isDisconnected() {
        return disconnected;
    }
}
