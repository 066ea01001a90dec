package io.verbena.soft.local;

import io.verbena.soft.device.DeviceEnvironment;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.net.Wire;
import io.verbena.soft.net.Wires;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.Random;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// This host, with a neighbourhood that the test watches.
final class TestHost implements DeviceEnvironment {
    final TestNeighbourhood neighbourhood = new TestNeighbourhood();
    private final RandomGenerator random = new Random();

    @Override
    public Wire openWire(InetAddress local, SoftOptions options) {
        return Wires.open(local, options);
    }

    @Override
    public LocalDevice share(InetAddress local, Wire wire, SoftOptions options, Consumer<Availability> found) {
        Availability availability = LocalDevices.availability(options, wire);
        found.accept(availability);
        return availability.isAvailable() ? new LocalDevice(neighbourhood, options.path(), Gid.of(local), wire) : null;
    }

    @Override
    public NanoClock clock() {
        return NanoClock.SYSTEM;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Simulation simulation() {
        return null;
    }

    @Override
    public void start(Engine engine, String name) {
        engine.driver().start(name);
    }

    @Override
    public void stop(Engine engine) {
        engine.driver().stop();
    }
}
