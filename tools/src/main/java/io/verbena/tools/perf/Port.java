package io.verbena.tools.perf;

import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.Context;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.GidType;
import io.verbena.verbs.attr.LinkLayer;
import io.verbena.verbs.attr.PortAttributes;
import java.net.InetAddress;
import java.util.Comparator;

/// The port of a device that a side works on, and the row of its GID table that it is known by; `gid` is null
/// on an InfiniBand link, where the LID will do.
record Port(Context context, int number, GidEntry gid) {
    private static final int FIRST = 1;
    private static final int HOP_LIMIT = 255;

    /// The row of `index`, or, where that is negative, the best as perftest sees it: RoCEv2 before others;
    /// among equals first the address in use, then IPv4 before IPv6.
    static Port choose(Context context, InetAddress local, int index) {
        var gids = context.gids(FIRST);
        if (index >= 0) {
            return new Port(
                    context,
                    FIRST,
                    gids.stream()
                            .filter(row -> row.index() == index)
                            .findFirst()
                            .orElseThrow(() -> new ProgramException("device "
                                    + context.device().name() + " has no GID with index " + index + " (-x); it has "
                                    + gids.stream().map(GidEntry::index).toList())));
        }
        if (context.port(FIRST).linkLayer() == LinkLayer.INFINIBAND) {
            return new Port(context, FIRST, null);
        }
        Gid wanted = local == null ? null : Gid.of(local);
        return gids.stream()
                .max(Comparator.comparing((GidEntry row) -> row.type() == GidType.ROCE_V2)
                        .thenComparing(row -> row.gid().equals(wanted))
                        .thenComparing(row -> row.gid().isIpv4())
                        .thenComparing(row -> -row.index()))
                .map(row -> new Port(context, FIRST, row))
                .orElseThrow(() -> new ProgramException(
                        "device " + context.device().name() + " has no GID; 'verbena doctor' tells why"));
    }

    PortAttributes attributes() {
        return context.port(number);
    }

    /// The way to a queue pair of the peer's.
    AddressVector to(KeyLine peer) {
        if (gid == null) {
            return AddressVector.toLid(peer.lid(), number);
        }
        return new AddressVector(peer.gid(), gid.index(), number, 0, HOP_LIMIT, 0);
    }
}
