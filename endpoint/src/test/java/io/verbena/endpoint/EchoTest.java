package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.junit.Faults;
import io.verbena.junit.RdmaTest;
import io.verbena.soft.fabric.SimulatedFabric;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;

/// The test that `docs/endpoint.md` shows.
@RdmaTest
@Faults("loss=0.03")
class EchoTest {
    @RepeatedTest(5)
    void shouldAnswerOverALossyNetwork(SimulatedFabric network) {
        ThreadStarter threads = (builder, task) -> network.start(builder, task::run);
        EndpointOptions options = EndpointOptions.defaults().threads(threads);
        var serverHost = options.connectionManager(network.host("10.0.0.1").connectionManager());
        var clientHost = options.connectionManager(network.host("10.0.0.2").connectionManager())
                .localAddress("10.0.0.2");
        try (EndpointServer server = Endpoint.listen("10.0.0.1", 7471, serverHost);
                Connection client = Endpoint.connect("10.0.0.1", 7471, clientHost);
                Connection served = server.accept(Duration.ofSeconds(60))) {
            client.send("hello");
            try (Message message = served.receive()) {
                served.send(message);
            }
            try (Message answer = client.receive()) {
                assertEquals("hello", answer.text());
            }
        }
    }
}
