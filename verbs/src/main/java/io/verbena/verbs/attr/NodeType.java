package io.verbena.verbs.attr;

/// The kind of a device in its network. Counterpart of `enum ibv_node_type`; [#code] is the C value, [#toString] the
/// text of `ibv_node_type_str`.
public enum NodeType {
    CHANNEL_ADAPTER(1, "InfiniBand channel adapter"),
    SWITCH(2, "InfiniBand switch"),
    ROUTER(3, "InfiniBand router"),
    RNIC(4, "iWARP NIC"),
    USNIC(5, "usNIC"),
    USNIC_UDP(6, "usNIC UDP"),
    UNSPECIFIED(7, "unspecified"),
    UNKNOWN(-1, "unknown");

    private final int code;
    private final String text;

    NodeType(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /// The number of this type in C.
    public int code() {
        return code;
    }

    /// UNKNOWN for a number that is not listed here.
    public static NodeType ofCode(int code) {
        return Codes.find(values(), NodeType::code, code, UNKNOWN);
    }

    @Override
    public String toString() {
        return text;
    }
}
