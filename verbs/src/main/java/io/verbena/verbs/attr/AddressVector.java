package io.verbena.verbs.attr;

import java.net.InetAddress;

/// Where packets go and how they travel. Counterpart of `struct ibv_ah_attr` with its `struct ibv_global_route`.
///
/// On RoCE only the first six parts matter. The others are for InfiniBand links: `isGlobal` says whether the GID is
/// used at all, `destinationLid` and `sourcePathBits` name the ends in the subnet, `serviceLevel` is 0 to 15, and
/// `staticRate` is a number of `enum ibv_rate` (0: as fast as the port).
public record AddressVector(
        Gid destination,
        int sourceGidIndex,
        int port,
        int trafficClass,
        int hopLimit,
        int flowLabel,
        boolean isGlobal,
        int destinationLid,
        int sourcePathBits,
        int serviceLevel,
        int staticRate) {
    public static final int DEFAULT_HOP_LIMIT = 64;

    /// A global address, as RoCE uses it.
    public AddressVector(Gid destination, int sourceGidIndex, int port, int trafficClass, int hopLimit, int flowLabel) {
        this(destination, sourceGidIndex, port, trafficClass, hopLimit, flowLabel, true, 0, 0, 0, 0);
    }

    /// The usual case on RoCEv2: the peer's IP address, port 1, first GID.
    public static AddressVector to(InetAddress peer) {
        return to(Gid.of(peer));
    }

    /// The usual case on RoCEv2 with a GID: port 1, first GID of this side.
    public static AddressVector to(Gid peer) {
        return new AddressVector(peer, 0, 1, 0, DEFAULT_HOP_LIMIT, 0);
    }

    /// Within an InfiniBand subnet, without a GID.
    public static AddressVector toLid(int lid, int port) {
        return new AddressVector(new Gid(0, 0), 0, port, 0, 0, 0, false, lid, 0, 0, 0);
    }

    /// The same with another traffic class, which RoCE puts into the IP header.
    public AddressVector withTrafficClass(int trafficClass) {
        return new AddressVector(
                destination,
                sourceGidIndex,
                port,
                trafficClass,
                hopLimit,
                flowLabel,
                isGlobal,
                destinationLid,
                sourcePathBits,
                serviceLevel,
                staticRate);
    }

    /// The parts that only InfiniBand links use.
    public AddressVector withLink(int destinationLid, int sourcePathBits, int serviceLevel, int staticRate) {
        return new AddressVector(
                destination,
                sourceGidIndex,
                port,
                trafficClass,
                hopLimit,
                flowLabel,
                isGlobal,
                destinationLid,
                sourcePathBits,
                serviceLevel,
                staticRate);
    }
}
