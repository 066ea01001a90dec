package io.verbena.soft.fabric;

import io.verbena.soft.fault.FaultCounters;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.local.Neighbourhood;
import io.verbena.soft.local.SimulatedNeighbourhood;
import io.verbena.soft.net.SimulatedNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;

/// Many hosts in one program under a virtual clock: frames travel with a latency and through the faults of their
/// link, and seconds of protocol time pass in milliseconds. One thread runs it, and calls that wait move the clock;
/// the same seed and the same calls give the same run.
///
/// ```java
/// SimulatedFabric fabric = new SimulatedFabric(42).faults(FaultPlan.none().withLoss(0.01));
/// try (Context left = fabric.host("10.0.0.1").device().open();
///         Context right = fabric.host("10.0.0.2").device().open()) {
///     ... make and connect queue pairs, post ...
///     cq.poll(onCompletion, 1, Duration.ofSeconds(10));   // ten virtual seconds at most
/// }
/// ```
public final class SimulatedFabric {
    private final SimulatedNetwork network;
    private final Random random;
    private final Map<InetAddress, SimulatedHost> hosts = new HashMap<>();
    private Neighbourhood neighbourhood;

    public SimulatedFabric(long seed) {
        network = new SimulatedNetwork(seed);
        random = new Random(seed);
    }

    /// The host of that IP address; it is made when first asked for.
    public SimulatedHost host(String address) {
        InetAddress parsed = InetAddress.ofLiteral(address);
        return hosts.computeIfAbsent(parsed, a -> new SimulatedHost(network, a, random, neighbourhood));
    }

    /// Hosts that are made from now on share memory with each other, as processes of one host do: their reliable
    /// connections take the local path, on which nothing takes time and no link has faults. Only on Linux with native
    /// access; elsewhere nothing changes, and [io.verbena.verbs.Context#paths] says why.
    public SimulatedFabric sharedMemory() {
        if (neighbourhood == null) {
            neighbourhood = new SimulatedNeighbourhood();
        }
        return this;
    }

    /// How long frames travel, from now on.
    public SimulatedFabric latency(Duration latency) {
        network.latency(latency);
        return this;
    }

    /// Faults of all links that have no plan of their own, from now on.
    public SimulatedFabric faults(FaultPlan plan) {
        network.faults(plan);
        return this;
    }

    /// Faults of the link from one host to another, from now on; the way back has its own.
    public SimulatedFabric faults(InetAddress from, InetAddress to, FaultPlan plan) {
        network.faults(from, to, plan);
        return this;
    }

    /// What happened so far on the link from one host to another.
    public FaultCounters counters(InetAddress from, InetAddress to) {
        return network.counters(from, to);
    }

    /// Virtual time since the start.
    public Duration elapsed() {
        return network.elapsed();
    }

    /// Lets one thing happen: what the hosts have left to do now, or what comes next. Returns false, with the time
    /// over, when nothing happens in that time.
    public boolean advance(Duration longest) {
        return network.advance(network.clock().nowNs() + longest.toNanos());
    }

    public void run(Duration time) {
        network.run(time);
    }

    /// Returns whether it became ready before the virtual time was over.
    public boolean runUntil(BooleanSupplier ready, Duration timeout) {
        return network.runUntil(ready, timeout.toNanos());
    }
}
