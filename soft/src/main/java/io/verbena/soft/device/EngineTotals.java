package io.verbena.soft.device;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.event.DeviceTotals;
import java.util.Arrays;
import java.util.List;

/// Sums up the counters of a device's engines. From any thread.
final class EngineTotals {
    private static final Counter[] DROPPED = Arrays.stream(Counter.values())
            .filter(counter -> counter.name().startsWith("DROPPED_"))
            .toArray(Counter[]::new);

    private EngineTotals() {}

    static DeviceTotals of(List<Engine> engines) {
        return new DeviceTotals(
                engines.stream().mapToInt(engine -> engine.queuePairs().size()).sum(),
                sum(engines, Counter.PACKETS_SENT),
                sum(engines, Counter.PACKETS_RECEIVED),
                sum(engines, Counter.BYTES_SENT),
                sum(engines, Counter.BYTES_RECEIVED),
                sum(engines, Counter.SHARED_MESSAGES),
                sum(engines, Counter.PACKETS_RETRANSMITTED),
                sum(engines, DROPPED),
                sum(engines, Counter.ACK_TIMEOUTS),
                sum(engines, Counter.RNR_NAKS_RECEIVED),
                sum(engines, Counter.CONNECTION_REQUESTS_REFUSED, Counter.CONNECTION_REQUESTS_DROPPED));
    }

    static long sum(List<Engine> engines, Counter... counters) {
        long sum = 0;
        for (Engine engine : engines) {
            for (Counter counter : counters) {
                sum += engine.counters().get(counter);
            }
        }
        return sum;
    }
}
