package io.verbena.verbs.attr;

/// What a GID table entry speaks. Counterpart of `enum ibv_gid_type`.
public enum GidType {
    INFINIBAND("IB"),
    ROCE_V1("RoCE v1"),
    ROCE_V2("RoCE v2");

    private final String text;

    GidType(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
