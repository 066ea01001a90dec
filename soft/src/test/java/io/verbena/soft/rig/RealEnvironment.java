package io.verbena.soft.rig;

import io.verbena.soft.device.DeviceEnvironment;
import io.verbena.soft.device.HostNetwork;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// This host, for tests that change a part of it.
public class RealEnvironment implements DeviceEnvironment {
    private final HostNetwork host = new HostNetwork();

    @Override
    public Wire openWire(InetAddress local, SoftOptions options) {
        return host.openWire(local, options);
    }

    @Override
    public Wire openAnother(Wire first, SoftOptions options) {
        return host.openAnother(first, options);
    }

    @Override
    public LocalDevice share(InetAddress local, Wire wire, SoftOptions options, Consumer<Availability> found) {
        return host.share(local, wire, options, found);
    }

    @Override
    public NanoClock clock() {
        return host.clock();
    }

    @Override
    public RandomGenerator random() {
        return host.random();
    }

    @Override
    public Simulation simulation() {
        return host.simulation();
    }

    @Override
    public void start(Engine engine, String name) {
        host.start(engine, name);
    }

    @Override
    public void stop(Engine engine) {
        host.stop(engine);
    }
}
