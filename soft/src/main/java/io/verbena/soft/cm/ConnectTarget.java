package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.verbs.attr.Gid;

/// Whom an active side wants to reach.
///
/// @param header the addresses and the source port, for the RDMA connection manager of the peer
record ConnectTarget(Gid peer, long serviceId, CmaHeader header, int trafficClass) {}
