package io.verbena.roce.mad;

/// Which message a REJ or MRA answers. The third code is "other" in a REJ and LAP in an MRA.
public enum AnsweredMessage {
    REQ,
    REP,
    OTHER;

    private static final AnsweredMessage[] VALUES = values();

    /// The number of this message on the wire.
    public int code() {
        return ordinal();
    }

    static AnsweredMessage of(int code) {
        if (code >= VALUES.length) {
            throw new MalformedMadException("answered message is " + code + ", known are 0 to 2");
        }
        return VALUES[code];
    }
}
