package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// The limits and features of a device with those of newer devices; begins with a [DeviceAttr]. Counterpart of `struct
/// ibv_device_attr_ex`.
public final class DeviceAttrEx {
    public static final int SIZE = 400;

    public static final int DEVICE_CAP_FLAGS_EX = 280;

    private DeviceAttrEx() {}

    public static long deviceCapFlagsEx(long deviceAttrEx) {
        return Memory.getLong(deviceAttrEx + DEVICE_CAP_FLAGS_EX);
    }
}
