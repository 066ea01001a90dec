package io.verbena.rdmacore;

import io.verbena.rdmacore.layout.DeviceAttr;
import io.verbena.rdmacore.layout.DeviceAttrEx;
import io.verbena.rdmacore.layout.VerbsContext;
import io.verbena.rdmacore.lib.DriverCalls;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.verbs.attr.AtomicCapability;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.DeviceDetails;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Queries the limits and features of a device.
final class DeviceQueries {
    private DeviceQueries() {}

    /// @param maxInlineBytes which no call of the library tells
    static DeviceAttributes attributes(long context, int maxInlineBytes) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(DeviceAttrEx.SIZE, 8).address();
            Optional<MemorySegment> extended = VerbsContext.function(context, VerbsContext.QUERY_DEVICE_EX);
            int failed = extended.map(f -> DriverCalls.queryDeviceEx(f, context, 0, attr, DeviceAttrEx.SIZE))
                    .orElse(-1);
            boolean hasExtended = failed == 0;
            if (!hasExtended) {
                failed = IbVerbs.LIB.queryDevice(context, attr);
            }
            if (failed != 0) {
                throw Failures.of(Subject.QUERY, "query device", failed);
            }
            int plain = DeviceAttr.DEVICE_CAP_FLAGS.get(attr);
            long flags = hasExtended
                    ? DeviceAttrEx.DEVICE_CAP_FLAGS_EX.get(attr) | Integer.toUnsignedLong(plain)
                    : Integer.toUnsignedLong(plain);
            return decode(attr, flags, maxInlineBytes);
        }
    }

    private static DeviceAttributes decode(long attr, long flags, int maxInlineBytes) {
        return new DeviceAttributes(
                DeviceAttr.fwVer(attr),
                DeviceAttr.NODE_GUID.get(attr),
                DeviceAttr.SYS_IMAGE_GUID.get(attr),
                DeviceAttr.VENDOR_ID.get(attr),
                DeviceAttr.VENDOR_PART_ID.get(attr),
                DeviceAttr.HW_VER.get(attr),
                DeviceAttr.PHYS_PORT_CNT.get(attr),
                atMost(DeviceAttr.MAX_MR_SIZE.get(attr)),
                DeviceAttr.MAX_MR.get(attr),
                DeviceAttr.MAX_MW.get(attr),
                DeviceAttr.MAX_PD.get(attr),
                DeviceAttr.MAX_QP.get(attr),
                DeviceAttr.MAX_QP_WR.get(attr),
                DeviceAttr.MAX_SGE.get(attr),
                maxInlineBytes,
                DeviceAttr.MAX_CQ.get(attr),
                DeviceAttr.MAX_CQE.get(attr),
                DeviceAttr.MAX_QP_RD_ATOM.get(attr),
                DeviceAttr.MAX_QP_INIT_RD_ATOM.get(attr),
                DeviceAttr.MAX_SRQ.get(attr),
                DeviceAttr.MAX_SRQ_WR.get(attr),
                DeviceAttr.MAX_SRQ_SGE.get(attr),
                DeviceAttr.MAX_AH.get(attr),
                DeviceAttr.MAX_MCAST_GRP.get(attr),
                DeviceAttr.LOCAL_CA_ACK_DELAY.get(attr),
                AtomicCapability.ofCode(DeviceAttr.ATOMIC_CAP.get(attr)),
                DeviceCapability.of(flags),
                new DeviceDetails(
                        DeviceAttr.PAGE_SIZE_CAP.get(attr),
                        DeviceAttr.MAX_SGE_RD.get(attr),
                        DeviceAttr.MAX_RES_RD_ATOM.get(attr),
                        DeviceAttr.MAX_MCAST_QP_ATTACH.get(attr),
                        DeviceAttr.MAX_TOTAL_MCAST_QP_ATTACH.get(attr),
                        DeviceAttr.MAX_PKEYS.get(attr),
                        flags));
    }

    /// An unsigned number as a plain one.
    private static long atMost(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }
}
