package io.verbena.soft.cm;

import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.cm.PortSpace;
import java.util.Objects;

/// The port spaces of software devices.
final class PortSpaces {
    /// The queue key of datagram services that librdmacm and its kernel side agree on (`RDMA_UDP_QKEY`).
    static final int DATAGRAM_QKEY = 0x0123_4567;

    private PortSpaces() {}

    /// IP over InfiniBand does not exist on Ethernet.
    static void require(PortSpace space) {
        Objects.requireNonNull(space, "the port space is null; PortSpace.TCP is the usual one");
        if (space == PortSpace.IPOIB) {
            throw new UnsupportedVerbException("soft", "rdma_create_id in port space " + space);
        }
    }
}
