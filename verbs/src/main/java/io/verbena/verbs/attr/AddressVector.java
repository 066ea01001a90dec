package io.verbena.verbs.attr;

import java.net.InetAddress;

/// Where packets go: the peer's GID and how they travel. Counterpart of `struct ibv_ah_attr`.
public record AddressVector(
        Gid destination, int sourceGidIndex, int port, int trafficClass, int hopLimit, int flowLabel) {
    public static final int DEFAULT_HOP_LIMIT = 64;

    /// The usual case on RoCEv2: the peer's IP address, port 1, first GID.
    public static AddressVector to(InetAddress peer) {
        return to(Gid.of(peer));
    }

    public static AddressVector to(Gid peer) {
        return new AddressVector(peer, 0, 1, 0, DEFAULT_HOP_LIMIT, 0);
    }

    public AddressVector withTrafficClass(int trafficClass) {
        return new AddressVector(destination, sourceGidIndex, port, trafficClass, hopLimit, flowLabel);
    }
}
