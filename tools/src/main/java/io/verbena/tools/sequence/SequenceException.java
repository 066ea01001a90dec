package io.verbena.tools.sequence;

/// What is wrong with the traces, in one line.
final class SequenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SequenceException(String message) {
        super(message);
    }

    SequenceException(String message, Throwable cause) {
        super(message, cause);
    }
}
