package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.verbs.attr.Gid;

/// The peer and service that an active side connects to.
///
/// @param header the addresses and the source port, for the RDMA connection manager of the peer
record ConnectTarget(Gid peer, long serviceId, CmaHeader header, int trafficClass) {}
