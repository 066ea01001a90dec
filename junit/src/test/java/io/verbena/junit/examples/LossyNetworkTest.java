package io.verbena.junit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.Faults;
import io.verbena.junit.RdmaTest;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.soft.fabric.SimulatedThread;
import io.verbena.soft.fault.Fault;
import org.junit.jupiter.api.Test;

/// Example: a client and a server, each with a thread that blocks, over a simulated network that loses packets.
@RdmaTest
class LossyNetworkTest {
    @Test
    @Faults("loss=0.1")
    void shouldAnswerEveryQuestionOverALossyNetwork(SimulatedFabric network) {
        SimulatedHost server = network.host("10.0.0.1");
        SimulatedHost client = network.host("10.0.0.2");
        SimulatedThread serving =
                network.start("server", () -> Exchange.serve(server.connectionManager(), server.address()));
        SimulatedThread asking = network.start("client", () -> {
            try (var exchange = new Exchange.Client(client.connectionManager(), client.address(), server.address())) {
                for (int i = 0; i < 100; i++) {
                    assertEquals("re: question " + i, exchange.ask("question " + i));
                }
            }
        });
        asking.join(); // throws what the thread threw
        serving.join();
        assertTrue(network.counters(client.address(), server.address()).count(Fault.LOSS) > 0);
    }
}
