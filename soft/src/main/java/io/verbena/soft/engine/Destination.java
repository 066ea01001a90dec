package io.verbena.soft.engine;

import io.verbena.soft.net.Traffic;
import io.verbena.verbs.attr.AddressVector;

/// The part of an address vector that a queue pair or an address handle keeps: the destination address and the fields
/// of the IP header.
///
/// @param high the GID of a peer or a multicast group
/// @param traffic traffic class, hop limit and flow label, packed as [Traffic] does it
public record Destination(long high, long low, long traffic) {
    public static Destination of(AddressVector vector) {
        return new Destination(
                vector.destination().high(),
                vector.destination().low(),
                Traffic.of(vector.trafficClass(), vector.hopLimit(), vector.flowLabel()));
    }
}
