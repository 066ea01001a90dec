package io.verbena.soft;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.NanoClock;
import io.verbena.soft.engine.Simulation;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Steppable;
import io.verbena.soft.net.Wire;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Puts devices into a simulated network: its wires, its virtual clock, and its steps instead of threads.
public class SimulatedGround implements Host {
    private final SimulatedNetwork network;
    private final RandomGenerator random;
    private final Map<Engine, Running> running = new HashMap<>();

    public SimulatedGround(SimulatedNetwork network, RandomGenerator random) {
        this.network = network;
        this.random = random;
    }

    private record Running(Engine engine) implements Steppable {
        @Override
        public int step(long nowNs) {
            return engine.step(nowNs);
        }

        @Override
        public long untilNextNs(long nowNs) {
            return engine.untilNextDeadlineNs();
        }
    }

    @Override
    public Wire openWire(InetAddress local) {
        return network.wire(local);
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
        return network::runUntil;
    }

    @Override
    public final void start(Engine engine, String name) {
        running.put(engine, new Running(engine));
        network.add(running.get(engine));
    }

    @Override
    public final void stop(Engine engine) {
        network.remove(running.remove(engine));
    }
}
