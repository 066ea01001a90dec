package io.verbena.verbs.attr;

/// How a memory window is bound and revoked. Counterpart of `enum ibv_mw_type`; [#code] is the C value.
public enum MemoryWindowType {
    /// Bound by a call; the device chooses the key.
    TYPE_1(1),
    /// Bound by a posted request with a key of the caller's choice; belongs to one queue pair.
    TYPE_2(2);

    private final int code;

    MemoryWindowType(int code) {
        this.code = code;
    }

    /// The number of this type in C.
    public int code() {
        return code;
    }

    /// Throws IllegalArgumentException for a number that is not listed here.
    public static MemoryWindowType ofCode(int code) {
        return Codes.require(values(), MemoryWindowType::code, code, "ibv_mw_type");
    }
}
