package io.verbena.verbs.attr;

/// Transport service of a queue pair. Counterpart of `enum ibv_qp_type`; [#code] is the C value.
public enum QueuePairType {
    /// Reliable connection: acknowledged, in order, every operation.
    RC(2),
    /// Unreliable connection: in order, may lose messages; SEND and WRITE only.
    UC(3),
    /// Unreliable datagram: one packet a message, any number of peers; SEND only.
    UD(4);

    private final int code;

    QueuePairType(int code) {
        this.code = code;
    }

    /// The number of this type in C.
    public int code() {
        return code;
    }

    /// Throws IllegalArgumentException for a number that is not listed here.
    public static QueuePairType ofCode(int code) {
        return Codes.require(values(), QueuePairType::code, code, "ibv_qp_type");
    }
}
