package io.verbena.soft.cm;

import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;

/// The properties of a device that the connection manager sends to peers.
///
/// @param mtu the largest path MTU that the device's link carries
/// @param maxResponderResources READs and atomics a queue pair serves at a time
/// @param maxInitiatorDepth READs and atomics a queue pair issues at a time
/// @param ackDelayCode how long an acknowledgement may take here, as a timeout code
record PortFacts(long guid, Gid gid, Mtu mtu, int maxResponderResources, int maxInitiatorDepth, int ackDelayCode) {}
