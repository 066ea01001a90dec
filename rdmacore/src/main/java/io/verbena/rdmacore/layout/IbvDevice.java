package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U32;
import io.verbena.rdmacore.lib.Memory;

/// A device that may be opened. Counterpart of `struct ibv_device`.
public final class IbvDevice {
    public static final int SIZE = 664;

    public static final U32 NODE_TYPE = new U32(16);
    public static final U32 TRANSPORT_TYPE = new U32(20);
    public static final int NAME = 24;
    public static final int DEV_NAME = 88;
    public static final int IBDEV_PATH = 408;

    private IbvDevice() {}

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
