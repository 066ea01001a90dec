package io.verbena.verbs.attr;

/// Counterpart of `enum ibv_port_state`; [#toString] is the text of `ibv_port_state_str`.
public enum PortState {
    NOP(0, "PORT_NOP"),
    DOWN(1, "PORT_DOWN"),
    INIT(2, "PORT_INIT"),
    ARMED(3, "PORT_ARMED"),
    ACTIVE(4, "PORT_ACTIVE"),
    ACTIVE_DEFER(5, "PORT_ACTIVE_DEFER");

    private final int code;
    private final String text;

    PortState(int code, String text) {
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
