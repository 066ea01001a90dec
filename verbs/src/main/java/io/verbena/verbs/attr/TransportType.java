package io.verbena.verbs.attr;

/// The transport protocol of a device. Counterpart of `enum ibv_transport_type`; [#code] is the C value, [#toString]
/// the word that `ibv_devinfo` prints.
public enum TransportType {
    INFINIBAND(0, "InfiniBand"),
    IWARP(1, "iWARP"),
    USNIC(2, "usNIC"),
    USNIC_UDP(3, "usNIC UDP"),
    UNSPECIFIED(4, "unspecified"),
    UNKNOWN(-1, "unknown");

    private final int code;
    private final String text;

    TransportType(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /// The number of this type in C.
    public int code() {
        return code;
    }

    /// UNKNOWN for a number that is not listed here.
    public static TransportType ofCode(int code) {
        return Codes.find(values(), TransportType::code, code, UNKNOWN);
    }

    /// The transport of nodes of that type; RoCE devices are channel adapters and speak InfiniBand's transport.
    public static TransportType of(NodeType node) {
        return switch (node) {
            case CHANNEL_ADAPTER, SWITCH, ROUTER -> INFINIBAND;
            case RNIC -> IWARP;
            case USNIC -> USNIC;
            case USNIC_UDP -> USNIC_UDP;
            case UNSPECIFIED -> UNSPECIFIED;
            case UNKNOWN -> UNKNOWN;
        };
    }

    @Override
    public String toString() {
        return text;
    }
}
