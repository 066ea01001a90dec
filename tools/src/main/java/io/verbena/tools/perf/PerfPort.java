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

/// The port of a device, and the row of its GID table that this side uses. `gid` is null on an InfiniBand link, where
/// the LID is enough.
record PerfPort(Context context, int number, GidEntry gid) {
    private static final int FIRST = 1;
    private static final int HOP_LIMIT = 255;

    /// The row `index`. When it is negative, the best row by perftest's rules: RoCEv2 first, then the address in use,
    /// then IPv4 before IPv6.
    static PerfPort choose(Context context, InetAddress local, int index) {
        var gids = context.gids(FIRST);
        if (index >= 0) {
            return new PerfPort(
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
            return new PerfPort(context, FIRST, null);
        }
        Gid wanted = local == null ? null : Gid.of(local);
        return gids.stream()
                .max(Comparator.comparing((GidEntry row) -> row.type() == GidType.ROCE_V2)
                        .thenComparing(row -> row.gid().equals(wanted))
                        .thenComparing(row -> row.gid().isIpv4())
                        .thenComparing(row -> -row.index()))
                .map(row -> new PerfPort(context, FIRST, row))
                .orElseThrow(() -> new ProgramException(
                        "device " + context.device().name() + " has no GID; 'verbena doctor' tells why"));
    }

    PortAttributes attributes() {
        return context.port(number);
    }

    /// The address vector of a queue pair of the peer.
    AddressVector to(KeyLine peer) {
        if (gid == null) {
            return AddressVector.toLid(peer.lid(), number);
        }
        return new AddressVector(peer.gid(), gid.index(), number, 0, HOP_LIMIT, 0);
    }
}
