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
                failed = IbVerbs.queryDevice(context, attr);
            }
            if (failed != 0) {
                throw Failures.of(Subject.QUERY, "query device", failed);
            }
            int plain = DeviceAttr.deviceCapFlags(attr);
            long flags = hasExtended
                    ? DeviceAttrEx.deviceCapFlagsEx(attr) | Integer.toUnsignedLong(plain)
                    : Integer.toUnsignedLong(plain);
            return decode(attr, flags, maxInlineBytes);
        }
    }

    private static DeviceAttributes decode(long attr, long flags, int maxInlineBytes) {
        return new DeviceAttributes(
                DeviceAttr.fwVer(attr),
                DeviceAttr.nodeGuid(attr),
                DeviceAttr.sysImageGuid(attr),
                DeviceAttr.vendorId(attr),
                DeviceAttr.vendorPartId(attr),
                DeviceAttr.hwVer(attr),
                DeviceAttr.physPortCnt(attr),
                atMost(DeviceAttr.maxMrSize(attr)),
                DeviceAttr.maxMr(attr),
                DeviceAttr.maxMw(attr),
                DeviceAttr.maxPd(attr),
                DeviceAttr.maxQp(attr),
                DeviceAttr.maxQpWr(attr),
                DeviceAttr.maxSge(attr),
                maxInlineBytes,
                DeviceAttr.maxCq(attr),
                DeviceAttr.maxCqe(attr),
                DeviceAttr.maxQpRdAtom(attr),
                DeviceAttr.maxQpInitRdAtom(attr),
                DeviceAttr.maxSrq(attr),
                DeviceAttr.maxSrqWr(attr),
                DeviceAttr.maxSrqSge(attr),
                DeviceAttr.maxAh(attr),
                DeviceAttr.maxMcastGrp(attr),
                DeviceAttr.localCaAckDelay(attr),
                AtomicCapability.ofCode(DeviceAttr.atomicCap(attr)),
                DeviceCapability.of(flags),
                new DeviceDetails(
                        DeviceAttr.pageSizeCap(attr),
                        DeviceAttr.maxSgeRd(attr),
                        DeviceAttr.maxResRdAtom(attr),
                        DeviceAttr.maxMcastQpAttach(attr),
                        DeviceAttr.maxTotalMcastQpAttach(attr),
                        DeviceAttr.maxPkeys(attr),
                        flags));
    }

    /// An unsigned number as a plain one.
    private static long atMost(long unsigned) {
        return unsigned < 0 ? Long.MAX_VALUE : unsigned;
    }
}
