package io.verbena.tools.demo;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.device.SoftPath;
import java.util.List;
import java.util.stream.IntStream;

/// Where the demo runs.
///
/// - `provider`: whose connection manager both processes use
/// - `title`: what it is, for people
/// - `addresses`: where the server may listen; it takes the first that is free
/// - `properties`: what both processes are told, as `name=value`
record Place(String provider, String title, List<String> addresses, List<String> properties) {
    /// The chosen device. Without one the software device of a loopback address: another program may have that of
    /// 127.0.0.1, but all of 127.x.y.z is this host.
    ///
    /// @param path of the software device, null when nobody says
    static Place of(DeviceChoice chosen, SoftPath path) {
        if (chosen.isSoft()) {
            return new Place(
                    chosen.provider().name(),
                    "the software RDMA device",
                    chosen.address() == null
                            ? IntStream.rangeClosed(1, 9)
                                    .mapToObj(i -> "127.0.0." + i)
                                    .toList()
                            : List.of(chosen.address().getHostAddress()),
                    path == null ? List.of() : List.of(path.property()));
        }
        DeviceChoice adapter = chosen.withDevice();
        if (adapter.address() == null) {
            throw new DemoException("device " + adapter.device().name()
                    + " has no RoCEv2 address; name an IP address it serves: --device ADDRESS");
        }
        return new Place(
                adapter.provider().name(),
                "the RDMA device " + adapter.device().name(),
                List.of(adapter.address().getHostAddress()),
                List.of());
    }

    /// The same, where both processes are told to use that path.
    Place over(SoftPath path) {
        return new Place(provider, title, addresses, List.of(path.property()));
    }

    boolean isSoft() {
        return provider.equals(DeviceOptions.SOFT);
    }
}
