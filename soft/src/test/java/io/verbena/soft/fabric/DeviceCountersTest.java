package io.verbena.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Context;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class DeviceCountersTest {
    private final SimulatedFabric network = new SimulatedFabric(1);
    private final SimulatedHost left = network.host("10.0.0.1");
    private final SimulatedHost right = network.host("10.0.0.2");

    @Test
    void shouldKeepWhatWasCountedWhenTheDeviceIsClosedAndOpenedAgain() {
        long first = sentByAsking();
        assertTrue(first > 0, "packets of a connection request");
        assertEquals(2 * first, first + sentByAsking());
        assertEquals(2 * first, DeviceCounters.of(left.device()).get("packets sent"));
    }

    @Test
    void shouldHaveNothingOfADeviceThatWasNeverOpened() {
        assertEquals(Map.of(), DeviceCounters.of(left.device()));
    }

    /// A request to a host where nobody listens; how many packets it took.
    private long sentByAsking() {
        long before = DeviceCounters.of(left.device()).getOrDefault("packets sent", 0L);
        try (Context _ = right.device().open();
                var id = left.connectionManager()
                        .createEndpoint(
                                PortSpace.TCP,
                                null,
                                new InetSocketAddress(right.address(), 1),
                                Duration.ofSeconds(1))) {
            id.createQueuePair(QueuePairOptions.rc());
            Assertions.assertThrows(RdmaException.class, () -> id.connect(ConnectionParameters.DEFAULT));
        }
        network.close();
        return DeviceCounters.of(left.device()).get("packets sent") - before;
    }
}
