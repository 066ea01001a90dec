package io.verbena.verbs;

/// A request was not taken. Requests of the chain before [#index] were posted; this one and later ones were not. Mostly
/// EINVAL, for a malformed request; EBADF when the queue is closed; EOPNOTSUPP for an operation that the device does
/// not have, when it was posted in a chain (one posted alone throws [UnsupportedVerbException]); else what the driver
/// said. Counterpart of `bad_wr`.
public final class BadRequestException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final int index;

    /// A malformed request: EINVAL.
    public BadRequestException(String verb, int index, String explanation) {
        this(verb, index, Errno.EINVAL.number(), explanation);
    }

    /// A request that was refused with that error number.
    public BadRequestException(String verb, int index, int errnoNumber, String explanation) {
        this(verb, index, errnoNumber, explanation, null);
    }

    /// As before, because of something that was thrown.
    public BadRequestException(String verb, int index, int errnoNumber, String explanation, Throwable cause) {
        super(verb, errnoNumber, place(index) + explanation, cause);
        this.index = index;
    }

    /// A request of a chain whose operation the device does not have.
    public BadRequestException(int index, UnsupportedVerbException cause) {
        super(
                cause.verb(),
                Errno.EOPNOTSUPP,
                place(index) + "device " + cause.device() + " does not support it",
                cause);
        this.index = index;
    }

    private static String place(int index) {
        return index == 0 ? "" : "request " + index + " of the chain: ";
    }

    /// Place of the refused request in the chain, from 0.
    public int index() {
        return index;
    }
}
