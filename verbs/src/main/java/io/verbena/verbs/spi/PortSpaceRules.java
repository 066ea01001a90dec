package io.verbena.verbs.spi;

import io.verbena.verbs.cm.PortSpace;

/// Which queue pairs an id of a port space makes.
public final class PortSpaceRules {
    private PortSpaceRules() {}

    /// The remedy for a program that asks for another type.
    public static String remedy(PortSpace space) {
        return switch (space) {
            case UDP, IPOIB -> "port space " + space + " takes UD queue pairs; use QueuePairOptions.ud";
            case TCP, IB ->
                "port space " + space + " takes RC queue pairs; use QueuePairOptions.rc, or PortSpace.UDP for UD, or"
                        + " connect one of type UC by hand";
        };
    }
}
