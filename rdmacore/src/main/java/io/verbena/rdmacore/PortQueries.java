package io.verbena.rdmacore;

import io.verbena.rdmacore.layout.GidEntryStruct;
import io.verbena.rdmacore.layout.Gids;
import io.verbena.rdmacore.layout.PortAttr;
import io.verbena.rdmacore.layout.VerbsContext;
import io.verbena.rdmacore.lib.DriverCalls;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidType;
import io.verbena.verbs.attr.LinkLayer;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.PortAttributes;
import io.verbena.verbs.attr.PortDetails;
import io.verbena.verbs.attr.PortState;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/// Queries the state and the tables of a port.
final class PortQueries {
    private PortQueries() {}

    static PortAttributes attributes(long context, int port) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(PortAttr.SIZE, 8).address();
            // The exported function knows the first 48 bytes only.
            int failed = VerbsContext.function(context, VerbsContext.QUERY_PORT)
                    .map(f -> DriverCalls.queryPort(f, context, (byte) port, attr, PortAttr.SIZE))
                    .orElseGet(() -> IbVerbs.LIB.queryPort(context, (byte) port, attr));
            if (failed != 0) {
                throw Failures.of(Subject.QUERY, "query port " + port, failed);
            }
            return decode(port, attr);
        }
    }

    private static PortAttributes decode(int port, long attr) {
        int speed = PortAttr.ACTIVE_SPEED_EX.get(attr);
        return new PortAttributes(
                port,
                PortState.ofCode(PortAttr.STATE.get(attr)),
                mtu(PortAttr.MAX_MTU.get(attr)),
                mtu(PortAttr.ACTIVE_MTU.get(attr)),
                PortAttr.GID_TBL_LEN.get(attr),
                Integer.toUnsignedLong(PortAttr.MAX_MSG_SZ.get(attr)),
                PortAttr.PKEY_TBL_LEN.get(attr),
                PortAttr.LID.get(attr),
                LinkLayer.ofCode(PortAttr.LINK_LAYER.get(attr)),
                new PortDetails(
                        PortAttr.PORT_CAP_FLAGS.get(attr),
                        PortAttr.PORT_CAP_FLAGS2.get(attr),
                        PortAttr.BAD_PKEY_CNTR.get(attr),
                        PortAttr.QKEY_VIOL_CNTR.get(attr),
                        PortAttr.SM_LID.get(attr),
                        PortAttr.SM_SL.get(attr),
                        PortAttr.LMC.get(attr),
                        PortAttr.MAX_VL_NUM.get(attr),
                        PortAttr.SUBNET_TIMEOUT.get(attr),
                        PortAttr.INIT_TYPE_REPLY.get(attr),
                        PortAttr.ACTIVE_WIDTH.get(attr),
                        speed != 0 ? speed : PortAttr.ACTIVE_SPEED.get(attr),
                        PortAttr.PHYS_STATE.get(attr)));
    }

    /// A port that is down may name none, or one that is not known here.
    private static Mtu mtu(int code) {
        return Mtu.ofCode(Math.clamp(code, Mtu.MTU_256.code(), Mtu.MTU_4096.code()));
    }

    static Gid gid(long context, int port, int index) {
        String verb = "query GID " + index + " of port " + port;
        requireIndex(verb, index, attributes(context, port).gidTableLength());
        try (Arena arena = Arena.ofConfined()) {
            long gid = arena.allocate(Gids.SIZE, 8).address();
            int failed = IbVerbs.LIB.queryGid(context, (byte) port, index, gid);
            if (failed < 0) {
                throw Failures.of(Subject.QUERY, verb, failed);
            }
            return Gids.get(gid);
        }
    }

    static List<io.verbena.verbs.attr.GidEntry> gids(long context, int ports, int port) {
        int rows = 0;
        for (int p = 1; p <= ports; p++) {
            rows += attributes(context, p).gidTableLength();
        }
        try (Arena arena = Arena.ofConfined()) {
            long table = arena.allocate((long) Math.max(1, rows) * GidEntryStruct.SIZE, 8)
                    .address();
            long used = IbVerbs.LIB.queryGidTable(context, table, rows, 0, GidEntryStruct.SIZE);
            if (used < 0) {
                throw Failures.of(Subject.QUERY, "query GID table", (int) used);
            }
            List<io.verbena.verbs.attr.GidEntry> entries = new ArrayList<>();
            for (long row = table; row < table + used * GidEntryStruct.SIZE; row += GidEntryStruct.SIZE) {
                if (GidEntryStruct.PORT_NUM.get(row) == port) {
                    entries.add(new io.verbena.verbs.attr.GidEntry(
                            Gids.get(row + GidEntryStruct.GID),
                            GidEntryStruct.GID_INDEX.get(row),
                            port,
                            GidType.ofCode(GidEntryStruct.GID_TYPE.get(row))));
                }
            }
            return entries;
        }
    }

    static int partitionKey(long context, int port, int index) {
        String verb = "query partition key " + index + " of port " + port;
        requireIndex(verb, index, attributes(context, port).pkeyTableLength());
        try (Arena arena = Arena.ofConfined()) {
            long key = arena.allocate(Short.BYTES, 8).address();
            int failed = IbVerbs.LIB.queryPkey(context, (byte) port, index, key);
            if (failed < 0) {
                throw Failures.of(Subject.QUERY, verb, failed);
            }
            return Short.reverseBytes(Memory.getShort(key)) & 0xFFFF; // comes in network order
        }
    }

    private static void requireIndex(String verb, int index, int length) {
        if (index < 0 || index >= length) {
            throw new RdmaException(verb, Errno.EINVAL, "the table has rows 0 to " + (length - 1));
        }
    }
}
