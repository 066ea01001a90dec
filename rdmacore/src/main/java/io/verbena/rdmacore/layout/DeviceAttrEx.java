package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.layout.StructField.U64;

/// The limits and features of a device with those of newer devices; begins with a [DeviceAttr]. Counterpart of `struct
/// ibv_device_attr_ex`.
public final class DeviceAttrEx {
    public static final int SIZE = 400;

    public static final U64 DEVICE_CAP_FLAGS_EX = new U64(280);

    private DeviceAttrEx() {}
}
