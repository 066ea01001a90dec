package io.verbena.verbs;

/// A verb was refused. The message names the verb, the values, and what to do; [#errno] is what C would have seen.
///
/// Failures of posted requests are not thrown: they arrive as completions with a status.
public class RdmaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String verb;
    private final String explanation;
    private final Errno errno;
    private final int errnoNumber;

    /// For a verb that was refused with that error; `explanation` says why, and what to do.
    public RdmaException(String verb, Errno errno, String explanation) {
        this(verb, errno, explanation, null);
    }

    /// As the other constructor, with the exception that caused it.
    public RdmaException(String verb, Errno errno, String explanation, Throwable cause) {
        super(verb + ": " + explanation + " (" + errno + ")", cause);
        this.verb = verb;
        this.explanation = explanation;
        this.errno = errno;
        this.errnoNumber = errno.number();
    }

    /// For a number that came from the operating system; it is kept even if [Errno] has no name for it.
    public RdmaException(String verb, int errnoNumber, String explanation, Throwable cause) {
        super(verb + ": " + explanation + " (" + Errno.describe(errnoNumber) + ")", cause);
        this.verb = verb;
        this.explanation = explanation;
        this.errno = Errno.of(errnoNumber);
        this.errnoNumber = errnoNumber;
    }

    /// The operation that failed, e.g. `modify QP 17 INIT->RTS`.
    public String verb() {
        return verb;
    }

    /// Why, and what to do: the message without the operation and the error.
    public String explanation() {
        return explanation;
    }

    /// The error by name; [Errno#OTHER] when it has none here.
    public Errno errno() {
        return errno;
    }

    /// The error number, as C's `errno` had it.
    public int errnoNumber() {
        return errnoNumber;
    }
}
