package io.verbena.roce.mad;

/// The connection manager's message types, by MAD attribute.
public enum AttributeId {
    REQ(0x0010),
    MRA(0x0011),
    REJ(0x0012),
    REP(0x0013),
    RTU(0x0014),
    DREQ(0x0015),
    DREP(0x0016),
    SIDR_REQ(0x0017),
    SIDR_REP(0x0018);

    private static final AttributeId[] VALUES = values();

    private final int code;

    AttributeId(int code) {
        this.code = code;
    }

    /// The number of this attribute on the wire.
    public int code() {
        return code;
    }

    /// @throws MalformedMadException for any other attribute, the alternate-path messages LAP and APR among them: RoCE
    ///     has no use for those
    static AttributeId of(int code) {
        for (AttributeId id : VALUES) {
            if (id.code == code) {
                return id;
            }
        }
        throw new MalformedMadException("attribute id 0x%04x is no CM message handled here".formatted(code));
    }
}
