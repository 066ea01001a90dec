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
        AhAttr.GRH_FLOW_LABEL.set(ahAttr, vector.flowLabel());
        AhAttr.GRH_SGID_INDEX.set(ahAttr, sourceGidIndex(context, vector));
        AhAttr.GRH_HOP_LIMIT.set(ahAttr, vector.hopLimit());
        AhAttr.GRH_TRAFFIC_CLASS.set(ahAttr, vector.trafficClass());
        AhAttr.DLID.set(ahAttr, vector.destinationLid());
        AhAttr.SL.set(ahAttr, vector.serviceLevel());
        AhAttr.SRC_PATH_BITS.set(ahAttr, vector.sourcePathBits());
        AhAttr.STATIC_RATE.set(ahAttr, vector.staticRate());
        AhAttr.IS_GLOBAL.set(ahAttr, vector.isGlobal() ? 1 : 0);
        AhAttr.PORT_NUM.set(ahAttr, vector.port());
    }

    public static AddressVector read(long ahAttr) {
        return new AddressVector(
                Gids.get(ahAttr + AhAttr.GRH_DGID),
                AhAttr.GRH_SGID_INDEX.get(ahAttr),
                AhAttr.PORT_NUM.get(ahAttr),
                AhAttr.GRH_TRAFFIC_CLASS.get(ahAttr),
                AhAttr.GRH_HOP_LIMIT.get(ahAttr),
                AhAttr.GRH_FLOW_LABEL.get(ahAttr),
                AhAttr.IS_GLOBAL.get(ahAttr) != 0,
                AhAttr.DLID.get(ahAttr),
                AhAttr.SRC_PATH_BITS.get(ahAttr),
                AhAttr.SL.get(ahAttr),
                AhAttr.STATIC_RATE.get(ahAttr));
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
