package io.verbena.verbs.spi;

/// The bytes of an inline request no longer exist: their mapped file was truncated.
public final class UnreadableBytesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableBytesException(Throwable cause) {
        super(
                "the inline bytes cannot be read, because the mapped file was truncated;"
                        + " keep its length until the request is posted",
                cause);
    }
}
