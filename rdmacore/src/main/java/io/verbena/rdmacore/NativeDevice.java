package io.verbena.rdmacore;

import io.verbena.verbs.Device;
import io.verbena.verbs.attr.NodeType;
import io.verbena.verbs.attr.TransportType;
import java.nio.file.Path;

/// A device that libibverbs knows, as it was when the list was read. `sysfs` is its folder there.
public record NativeDevice(
        String name, String kernelName, long guid, NodeType nodeType, TransportType transportType, Path sysfs)
        implements Device {

    @Override
    public String provider() {
        return NativeProvider.NAME;
    }

    @Override
    public NativeContext open() {
        return DeviceList.open(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
