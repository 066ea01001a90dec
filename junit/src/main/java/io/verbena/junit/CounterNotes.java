package io.verbena.junit;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// What devices and links counted that may tell why a test failed, in lines.
final class CounterNotes {
    /// These count in every test that works.
    private static final Set<String> USUAL = Set.of(
            "packets sent",
            "packets received",
            "bytes sent",
            "bytes received",
            "acknowledgements sent",
            "acknowledgements received",
            "messages over shared memory",
            "keep-alives sent",
            "times a waiting thread slept",
            "times a sleeping thread was woken",
            "times the engine's lock changed hands",
            "checks by the device's thread",
            "takeovers by the device's thread",
            "times another thread ran the engine",
            "timers that expired");

    private static final String RNR = "RNR NAK";

    private final List<String> lines = new ArrayList<>();
    private boolean isReceiveMissing;

    void addDevice(String name, Map<String, Long> counters) {
        String text = counters.entrySet().stream()
                .filter(counter -> counter.getValue() != 0 && !USUAL.contains(counter.getKey()))
                .map(counter -> counter.getKey() + " " + counter.getValue())
                .collect(Collectors.joining(", "));
        if (!text.isEmpty()) {
            lines.add(name + ": " + text);
        }
        isReceiveMissing |= text.contains(RNR);
    }

    /// What the faults of the links did.
    void addLinks(SimulatedFabric network) {
        for (SimulatedHost from : network.hosts()) {
            for (SimulatedHost to : network.hosts()) {
                FaultCounters counters = network.counters(from.address(), to.address());
                long lost = counters.count(Fault.LOSS);
                long damaged = counters.count(Fault.CORRUPT);
                if (lost + damaged > 0) {
                    lines.add("link %s to %s: %d of %d packets lost by faults, %d damaged"
                            .formatted(
                                    from.address().getHostAddress(),
                                    to.address().getHostAddress(),
                                    lost,
                                    counters.frames(),
                                    damaged));
                }
            }
        }
    }

    /// Empty when nothing tells anything.
    List<String> lines() {
        List<String> all = new ArrayList<>(lines);
        if (isReceiveMissing) {
            all.add("RNR NAKs (receiver not ready): no receive was posted when a message came;"
                    + " post receives before the peer sends");
        }
        return all;
    }
}
