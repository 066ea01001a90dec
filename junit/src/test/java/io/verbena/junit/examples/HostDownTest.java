package io.verbena.junit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.RdmaTest;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.soft.fabric.SimulatedThread;
import io.verbena.verbs.attr.CompletionStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Example: the peer's host goes down. The client hears of it when its retries are used up: seconds of virtual time,
/// milliseconds of real time.
@RdmaTest
class HostDownTest {
    @Test
    void shouldHearAnErrorWhenTheServerIsGone(SimulatedFabric network) {
        SimulatedHost server = network.host("10.0.0.1");
        SimulatedHost client = network.host("10.0.0.2");
        SimulatedThread serving =
                network.start("server", () -> Exchange.serve(server.connectionManager(), server.address()));
        try (var exchange = new Exchange.Client(client.connectionManager(), client.address(), server.address())) {
            assertEquals("re: are you there?", exchange.ask("are you there?"));
            server.goDown();
            Duration before = network.elapsed();
            var error = assertThrows(IllegalStateException.class, () -> exchange.ask("still there?"));
            assertEquals(CompletionStatus.RETRY_EXCEEDED.toString(), error.getMessage());
            Duration waited = network.elapsed().minus(before);
            assertTrue(waited.compareTo(Duration.ofMillis(100)) > 0, waited::toString);
            assertTrue(waited.compareTo(Exchange.LIMIT) < 0, waited::toString);
        }
        serving.join(); // the server's liveness check ends its connection, too
    }
}
