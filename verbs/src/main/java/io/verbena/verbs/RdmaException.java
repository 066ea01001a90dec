package io.verbena.verbs;

/// A verb was refused. The message names the verb, the values, and what to do; [#errno] is what C would have seen.
///
/// Failures of posted work do not come this way: they arrive as completions with a status.
public class RdmaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String verb;
    private final Errno errno;

    public RdmaException(String verb, Errno errno, String explanation) {
        this(verb, errno, explanation, null);
    }

    public RdmaException(String verb, Errno errno, String explanation, Throwable cause) {
        super(verb + ": " + explanation + " (" + errno + ")", cause);
        this.verb = verb;
        this.errno = errno;
    }

    /// The operation that failed, e.g. `modify QP 17 INIT->RTS`.
    public String verb() {
        return verb;
    }

    public Errno errno() {
        return errno;
    }
}
