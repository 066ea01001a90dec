package io.verbena.tools.sequence;

/// An error in the traces, with a message of one line.
final class SequenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SequenceException(String message) {
        super(message);
    }

    SequenceException(String message, Throwable cause) {
        super(message, cause);
    }
}
