package io.verbena.verbs.attr;

/// The protocol of a GID table entry. Counterpart of `enum ibv_gid_type`; [#code] is the C value.
public enum GidType {
    INFINIBAND("IB"),
    ROCE_V1("RoCE v1"),
    ROCE_V2("RoCE v2");

    private final String text;

    GidType(String text) {
        this.text = text;
    }

    /// The number of this type in C.
    public int code() {
        return ordinal();
    }

    /// Throws IllegalArgumentException for a number that is not listed here.
    public static GidType ofCode(int code) {
        return Codes.require(values(), GidType::code, code, "ibv_gid_type");
    }

    @Override
    public String toString() {
        return text;
    }
}
