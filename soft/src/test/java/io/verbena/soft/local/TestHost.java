package io.verbena.soft.local;

import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.rig.RealEnvironment;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.function.Consumer;

/// This host, with a neighbourhood that the test watches.
final class TestHost extends RealEnvironment {
    final TestNeighbourhood neighbourhood = new TestNeighbourhood();

    @Override
    public LocalDevice share(InetAddress local, Wire wire, SoftOptions options, Consumer<Availability> found) {
        Availability availability = LocalDevices.availability(options, wire);
        found.accept(availability);
        return availability.isAvailable() ? new LocalDevice(neighbourhood, options.path(), Gid.of(local), wire) : null;
    }
}
