package io.verbena.verbs.attr;

/// State and limits of one port; lengths count table entries, `lid` is 0 on Ethernet. Counterpart of `struct
/// ibv_port_attr`.
public record PortAttributes(
        int port,
        PortState state,
        Mtu maxMtu,
        Mtu activeMtu,
        int gidTableLength,
        long maxMessageBytes,
        int pkeyTableLength,
        int lid,
        LinkLayer linkLayer,
        PortDetails details) {

    /// A port without [PortDetails].
    public PortAttributes(
            int port,
            PortState state,
            Mtu maxMtu,
            Mtu activeMtu,
            int gidTableLength,
            long maxMessageBytes,
            int pkeyTableLength,
            int lid,
            LinkLayer linkLayer) {
        this(
                port,
                state,
                maxMtu,
                activeMtu,
                gidTableLength,
                maxMessageBytes,
                pkeyTableLength,
                lid,
                linkLayer,
                PortDetails.NONE);
    }
}
