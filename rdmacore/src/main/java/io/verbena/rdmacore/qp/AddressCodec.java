package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.layout.AhAttr;
import io.verbena.rdmacore.layout.Gids;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.GidType;
import java.util.List;

/// Address vectors between Java and `struct ibv_ah_attr`.
public final class AddressCodec {
    private AddressCodec() {}

    public static void write(NativeContext context, long ahAttr, AddressVector vector) {
        Gids.put(ahAttr + AhAttr.GRH_DGID, vector.destination());
        AhAttr.grhFlowLabel(ahAttr, vector.flowLabel());
        AhAttr.grhSgidIndex(ahAttr, sourceGidIndex(context, vector));
        AhAttr.grhHopLimit(ahAttr, vector.hopLimit());
        AhAttr.grhTrafficClass(ahAttr, vector.trafficClass());
        AhAttr.dlid(ahAttr, vector.destinationLid());
        AhAttr.sl(ahAttr, vector.serviceLevel());
        AhAttr.srcPathBits(ahAttr, vector.sourcePathBits());
        AhAttr.staticRate(ahAttr, vector.staticRate());
        AhAttr.isGlobal(ahAttr, vector.isGlobal() ? 1 : 0);
        AhAttr.portNum(ahAttr, vector.port());
    }

    public static AddressVector read(long ahAttr) {
        return new AddressVector(
                Gids.get(ahAttr + AhAttr.GRH_DGID),
                AhAttr.grhSgidIndex(ahAttr),
                AhAttr.portNum(ahAttr),
                AhAttr.grhTrafficClass(ahAttr),
                AhAttr.grhHopLimit(ahAttr),
                AhAttr.grhFlowLabel(ahAttr),
                AhAttr.isGlobal(ahAttr) != 0,
                AhAttr.dlid(ahAttr),
                AhAttr.srcPathBits(ahAttr),
                AhAttr.sl(ahAttr),
                AhAttr.staticRate(ahAttr));
    }

    /// The row of the GID table that packets come from. Row 0, which programs name when they do not care, is on RoCE
    /// mostly the link-local IPv6 address: for a peer with an address of another kind it could only fail, so the
    /// first RoCE v2 row of the peer's kind is taken in its place.
    private static int sourceGidIndex(NativeContext context, AddressVector vector) {
        if (!vector.isGlobal() || vector.sourceGidIndex() != 0) {
            return vector.sourceGidIndex();
        }
        List<GidEntry> rows = context.gids(vector.port());
        int kind = kind(vector.destination());
        if (rows.stream().anyMatch(row -> row.index() == 0 && fits(row, kind))) {
            return 0;
        }
        return rows.stream()
                .filter(row -> fits(row, kind))
                .mapToInt(GidEntry::index)
                .findFirst()
                .orElse(0);
    }

    private static boolean fits(GidEntry row, int kind) {
        return row.type() == GidType.INFINIBAND || row.type() == GidType.ROCE_V2 && kind(row.gid()) == kind;
    }

    /// IPv4, link-local IPv6 or other: only addresses of one kind reach each other.
    private static int kind(Gid gid) {
        boolean linkLocal = gid.high() >>> 54 == 0xFE80 >>> 6;
        return gid.isIpv4() ? 4 : linkLocal ? 1 : 6;
    }
}
