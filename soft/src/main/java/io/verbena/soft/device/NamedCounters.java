package io.verbena.soft.device;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Engines;
import io.verbena.soft.fault.Fault;
import io.verbena.soft.net.FaultyWire;
import java.util.Map;
import java.util.TreeMap;

/// What the engines of a device and what is around them counted, by the names that people see, without those that are
/// 0.
final class NamedCounters {
    private NamedCounters() {}

    static Map<String, Long> of(Engines engines) {
        Map<String, Long> named = new TreeMap<>();
        engines.all().forEach(engine -> add(engine, named));
        named.values().removeIf(value -> value == 0);
        return named;
    }

    /// Those of one shard.
    static Map<String, Long> of(Engine engine) {
        Map<String, Long> named = new TreeMap<>();
        add(engine, named);
        named.values().removeIf(value -> value == 0);
        return named;
    }

    private static void add(Engine engine, Map<String, Long> named) {
        engine.counters().snapshot().forEach((counter, value) -> named.merge(counter.label(), value, Long::sum));
        named.merge("times a waiting thread slept", engine.driver().sleeps(), Long::sum);
        named.merge("times the engine's lock changed hands", engine.lockRevocations(), Long::sum);
        named.merge("packets the network refused", engine.wire().sendFailures(), Long::sum);
        if (engine.wire() instanceof FaultyWire faulty) {
            named.merge("packets lost by faults", faulty.counters().count(Fault.LOSS), Long::sum);
            named.merge("packets damaged by faults", faulty.counters().count(Fault.CORRUPT), Long::sum);
        }
    }
}
