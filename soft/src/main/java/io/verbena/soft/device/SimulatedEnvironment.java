package io.verbena.soft.device;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.local.LocalDevices;
import io.verbena.soft.local.Neighbourhood;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Steppable;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// The environment of devices in a simulated network: its wires, its virtual clock, and its steps instead of threads.
public class SimulatedEnvironment implements DeviceEnvironment {
    private final SimulatedNetwork network;
    private final RandomGenerator random;
    /// Null when devices share nothing.
    private final Neighbourhood neighbourhood;

    private final Map<Engine, Steppable> running = new HashMap<>();

    public SimulatedEnvironment(SimulatedNetwork network, RandomGenerator random) {
        this(network, random, null);
    }

    /// @param neighbourhood the devices that this one shares memory with, as if all were of one host; null when there
    ///     are only packets
    public SimulatedEnvironment(SimulatedNetwork network, RandomGenerator random, Neighbourhood neighbourhood) {
        this.network = network;
        this.random = random;
        this.neighbourhood = neighbourhood;
    }

    private record Running(Engine engine) implements Steppable {
        @Override
        public int step(long nowNs) {
            LocalDevice local = engine.local();
            if (local == null) {
                return engine.step(nowNs);
            }
            long before = local.activity();
            // The engine leaves lanes to a program that polls them; nobody does while the world is stepped.
            int work = engine.step(nowNs) + engine.step(nowNs);
            return local.activity() == before ? work : work + 1;
        }

        @Override
        public long untilNextNs(long nowNs) {
            return engine.untilNextDeadlineNs();
        }
    }

    /// The actor that the network steps for an engine.
    protected Steppable running(Engine engine) {
        return new Running(engine);
    }

    @Override
    public Wire openWire(InetAddress local, SoftOptions options) {
        return network.wire(local);
    }

    @Override
    public final LocalDevice share(InetAddress local, Wire wire, SoftOptions options, Consumer<Availability> found) {
        return neighbourhood == null
                ? DeviceEnvironment.super.share(local, wire, options, found)
                : LocalDevices.open(neighbourhood, local, wire, found);
    }

    @Override
    public final boolean hasAddress(InetAddress local) {
        return network.isUp(local);
    }

    @Override
    public final NanoClock clock() {
        return network.clock();
    }

    @Override
    public final RandomGenerator random() {
        return random;
    }

    @Override
    public final Simulation simulation() {
        return network::await;
    }

    @Override
    public final void start(Engine engine, String name) {
        running.put(engine, running(engine));
        network.add(running.get(engine));
    }

    @Override
    public final void stop(Engine engine) {
        network.remove(running.remove(engine));
    }
}
