package io.verbena.rdmacore;

import io.verbena.rdmacore.layout.IbvContext;
import io.verbena.rdmacore.layout.IbvDevice;
import io.verbena.rdmacore.layout.VerbsContext;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.NodeType;
import io.verbena.verbs.attr.TransportType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/// The devices of libibverbs. The list is read anew each time, because devices come and go.
final class DeviceList {
    private DeviceList() {}

    static List<NativeDevice> read() {
        List<NativeDevice> devices = new ArrayList<>();
        each(device -> {
            devices.add(describe(device));
            return false;
        });
        return devices;
    }

    /// The device that a context of the library belongs to.
    static NativeDevice of(long context) {
        return describe(IbvContext.DEVICE.get(context));
    }

    private static NativeDevice describe(long device) {
        return new NativeDevice(
                IbvDevice.name(device),
                IbvDevice.devName(device),
                Long.reverseBytes(IbVerbs.LIB.getDeviceGuid(device)), // comes in network order
                NodeType.ofCode(IbvDevice.NODE_TYPE.get(device)),
                TransportType.ofCode(IbvDevice.TRANSPORT_TYPE.get(device)),
                Path.of(IbvDevice.ibdevPath(device)));
    }

    static NativeContext open(NativeDevice wanted) {
        String verb = "open device " + wanted.name();
        long[] context = {0};
        each(device -> {
            if (!IbvDevice.name(device).equals(wanted.name())) {
                return false;
            }
            context[0] = IbVerbs.LIB.openDevice(device);
            return true;
        });
        if (context[0] == 0) {
            throw new RdmaException(verb, Errno.ENODEV, "there is no such device any more");
        }
        if (context[0] < 0) {
            throw Failures.of(Subject.DEVICE, verb, (int) context[0]);
        }
        if (!VerbsContext.isPresent(context[0])) {
            IbVerbs.LIB.closeDevice(context[0]);
            throw new RdmaException(
                    verb,
                    Errno.EPROTO,
                    "the library's context is of an old kind; use libibverbs of rdma-core 44 or newer");
        }
        return NativeContext.owned(wanted, context[0]);
    }

    /// Shows each device until `found` says that it was the right one.
    private static void each(LongPredicate found) {
        long list = IbVerbs.LIB.getDeviceList(0);
        if (list == -Errno.ENOSYS.number()) {
            return; // no kernel support: no devices
        }
        if (list < 0) {
            throw Failures.of(Subject.DEVICE, "list devices", (int) list);
        }
        try {
            for (long at = list; Memory.getLong(at) != 0; at += Long.BYTES) {
                if (found.test(Memory.getLong(at))) {
                    return;
                }
            }
        } finally {
            IbVerbs.LIB.freeDeviceList(list);
        }
    }
}
