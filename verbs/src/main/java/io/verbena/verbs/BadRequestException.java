package io.verbena.verbs;

/// A posted request was malformed. Requests of the chain before [#index] were posted; this one and later ones were
/// not. Counterpart of `bad_wr` with EINVAL.
public final class BadRequestException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final int index;

    public BadRequestException(String verb, int index, String explanation) {
        super(verb, Errno.EINVAL, index == 0 ? explanation : "request " + index + " of the chain: " + explanation);
        this.index = index;
    }

    /// Place of the refused request in the chain, from 0.
    public int index() {
        return index;
    }
}
