package io.verbena.verbs.spi;

import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.PortSpace;

/// Which queue pairs an id of a port space makes.
public final class PortSpaceRules {
    private PortSpaceRules() {}

    /// Whether ids of the port space are for datagrams.
    public static boolean isDatagram(PortSpace space) {
        return space == PortSpace.UDP || space == PortSpace.IPOIB;
    }

    /// Throws EOPNOTSUPP, with the remedy, for another type than the port space takes.
    public static void requireType(String device, PortSpace space, QueuePairType type) {
        if (type != (isDatagram(space) ? QueuePairType.UD : QueuePairType.RC)) {
            throw new UnsupportedVerbException(
                    device, "rdma_create_qp of type " + type + " in port space " + space, remedy(space));
        }
    }

    private static String remedy(PortSpace space) {
        return isDatagram(space)
                ? "port space " + space + " takes UD queue pairs; use QueuePairOptions.ud"
                : "port space " + space + " takes RC queue pairs; use QueuePairOptions.rc, or PortSpace.UDP for UD, or"
                        + " connect one of type UC by hand";
    }
}
