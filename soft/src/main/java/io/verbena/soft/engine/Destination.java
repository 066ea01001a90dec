package io.verbena.soft.engine;

import io.verbena.soft.net.Traffic;
import io.verbena.verbs.attr.AddressVector;

/// Where packets go and how they travel: what a queue pair or an address handle keeps of its address vector.
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
