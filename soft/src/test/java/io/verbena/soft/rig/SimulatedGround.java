package io.verbena.soft.rig;

import io.verbena.soft.Host;
import io.verbena.soft.Network;
import io.verbena.soft.SoftDevice;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.NanoClock;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Steppable;
import io.verbena.soft.net.Wire;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/// Puts one device into a simulated network that the test holds, so that it can play other hosts by hand.
public final class SimulatedGround implements Host, Network {
    private final SimulatedNetwork network;
    private final SoftDevice device;
    private final Random random;
    private final Map<Engine, Steppable> running = new HashMap<>();

    public SimulatedGround(SimulatedNetwork network, InetAddress address, long seed) {
        this.network = network;
        this.random = new Random(seed);
        this.device = new SoftDevice(address, this);
    }

    public SoftDevice device() {
        return device;
    }

    @Override
    public Wire openWire(InetAddress local) {
        return network.wire(local);
    }

    @Override
    public NanoClock clock() {
        return network.clock();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public Simulation simulation() {
        return network::runUntil;
    }

    @Override
    public void start(Engine engine, String name) {
        Steppable steps = new Steppable() {
            @Override
            public int step(long nowNs) {
                return engine.step(nowNs);
            }

            @Override
            public long untilNextNs(long nowNs) {
                return engine.untilNextDeadlineNs();
            }
        };
        running.put(engine, steps);
        network.add(steps);
    }

    @Override
    public void stop(Engine engine) {
        network.remove(running.remove(engine));
    }

    @Override
    public SoftDevice at(InetAddress local) {
        return device;
    }

    @Override
    public SoftDevice towards(InetAddress peer) {
        return device;
    }

    @Override
    public List<SoftDevice> all() {
        return List.of(device);
    }
}
