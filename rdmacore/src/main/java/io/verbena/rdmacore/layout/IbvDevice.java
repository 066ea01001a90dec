package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A device that may be opened. Counterpart of `struct ibv_device`.
public final class IbvDevice {
    public static final int SIZE = 664;

    public static final int NODE_TYPE = 16;
    public static final int TRANSPORT_TYPE = 20;
    public static final int NAME = 24;
    public static final int DEV_NAME = 88;
    public static final int IBDEV_PATH = 408;

    private IbvDevice() {}

    public static int nodeType(long device) {
        return Memory.getInt(device + NODE_TYPE);
    }

    public static int transportType(long device) {
        return Memory.getInt(device + TRANSPORT_TYPE);
    }

    public static String name(long device) {
        return Memory.string(device + NAME, 64);
    }

    /// Name of its file under /dev/infiniband.
    public static String devName(long device) {
        return Memory.string(device + DEV_NAME, 64);
    }

    /// Its folder in sysfs.
    public static String ibdevPath(long device) {
        return Memory.string(device + IBDEV_PATH, 256);
    }
}
