package io.verbena.roce.mad;

/// The outcome of a service resolution.
public enum SidrStatus {
    VALID,
    UNSUPPORTED,
    REJECTED,
    NO_QUEUE_PAIR,
    REDIRECTED,
    UNSUPPORTED_VERSION;

    private static final SidrStatus[] VALUES = values();

    /// The number of this status on the wire.
    public int code() {
        return ordinal();
    }

    static SidrStatus of(int code) {
        if (code >= VALUES.length) {
            throw new MalformedMadException("SIDR status is " + code + ", known are 0 to 5");
        }
        return VALUES[code];
    }
}
