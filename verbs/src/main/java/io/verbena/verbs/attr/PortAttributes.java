package io.verbena.verbs.attr;

/// State and limits of one port. Counterpart of `struct ibv_port_attr`.
public record PortAttributes(
        int port,
        PortState state,
        Mtu maxMtu,
        Mtu activeMtu,
        int gidTableLength,
        long maxMessageBytes,
        int pkeyTableLength,
        int lid,
        LinkLayer linkLayer) {}
