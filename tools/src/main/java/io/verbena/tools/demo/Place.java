package io.verbena.tools.demo;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.DeviceOptions;
import java.util.List;
import java.util.stream.IntStream;

/// Where the demo runs.
///
/// - `provider`: whose connection manager both processes use
/// - `title`: what it is, for people
/// - `addresses`: where the server may listen; it takes the first that is free
record Place(String provider, String title, List<String> addresses) {
    /// The chosen device. Without one the software device of a loopback address: another program may have that of
    /// 127.0.0.1, but all of 127.x.y.z is this host.
    static Place of(DeviceChoice chosen) {
        if (chosen.isSoft()) {
            return new Place(
                    chosen.provider().name(),
                    "the software RDMA device, RoCEv2 packets over UDP",
                    chosen.address() == null
                            ? IntStream.rangeClosed(1, 9)
                                    .mapToObj(i -> "127.0.0." + i)
                                    .toList()
                            : List.of(chosen.address().getHostAddress()));
        }
        DeviceChoice adapter = chosen.withDevice();
        if (adapter.address() == null) {
            throw new DemoException("device " + adapter.device().name()
                    + " has no RoCEv2 address; name an IP address it serves: --device ADDRESS");
        }
        return new Place(
                adapter.provider().name(),
                "the RDMA device " + adapter.device().name(),
                List.of(adapter.address().getHostAddress()));
    }

    boolean isSoft() {
        return provider.equals(DeviceOptions.SOFT);
    }
}
