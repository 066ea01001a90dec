package io.verbena.tools.demo;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.device.SoftPath;
import io.verbena.tools.program.ProgramException;
import java.util.List;
import java.util.stream.IntStream;

/// The device that the demo uses.
///
/// - `provider`: the provider of both processes
/// - `title`: its name for people
/// - `addresses`: addresses for the server; it takes the first that is free
/// - `properties`: system properties of both processes, as `name=value`
record Place(String provider, String title, List<String> addresses, List<String> properties) {
    /// The chosen device. The default is the software device of a loopback address: 127.0.0.1 may be in use, but all of
    /// 127.x.y.z is this host.
    ///
    /// @param path the path of the software device, null for the default
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
            throw new ProgramException("device " + adapter.device().name()
                    + " has no RoCEv2 address; name an IP address it serves: --device ADDRESS");
        }
        return new Place(
                adapter.provider().name(),
                "the RDMA device " + adapter.device().name(),
                List.of(adapter.address().getHostAddress()),
                List.of());
    }

    /// The same place with that path.
    Place over(SoftPath path) {
        return new Place(provider, title, addresses, List.of(path.property()));
    }

    boolean isSoft() {
        return provider.equals(DeviceOptions.SOFT);
    }
}
