package io.verbena.verbs.attr;

/// Counterpart of `enum ibv_node_type`; [#toString] is the text of `ibv_node_type_str`.
public enum NodeType {
    CHANNEL_ADAPTER(1, "InfiniBand channel adapter"),
    SWITCH(2, "InfiniBand switch"),
    ROUTER(3, "InfiniBand router"),
    RNIC(4, "iWARP NIC"),
    UNKNOWN(-1, "unknown");

    private final int code;
    private final String text;

    NodeType(int code, String text) {
        this.code = code;
        this.text = text;
    }

    public int code() {
        return code;
    }

    @Override
    public String toString() {
        return text;
    }
}
