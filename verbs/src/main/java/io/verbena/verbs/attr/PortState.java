package io.verbena.verbs.attr;

/// Whether a port can carry traffic. Counterpart of `enum ibv_port_state`; [#code] is the C value, [#toString] the text
/// of `ibv_port_state_str`, and [#deviceInfoText] what `ibv_devinfo` prints.
public enum PortState {
    NOP(0, "no state change (NOP)"),
    DOWN(1, "down"),
    INIT(2, "init"),
    ARMED(3, "armed"),
    ACTIVE(4, "active"),
    ACTIVE_DEFER(5, "active defer");

    private final int code;
    private final String text;

    PortState(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /// The number of this state in C.
    public int code() {
        return code;
    }

    /// For example `PORT_ACTIVE`.
    public String deviceInfoText() {
        return "PORT_" + name();
    }

    /// Throws IllegalArgumentException for a number that is no port state.
    public static PortState ofCode(int code) {
        return Codes.require(values(), PortState::code, code, "ibv_port_state");
    }

    @Override
    public String toString() {
        return text;
    }
}
