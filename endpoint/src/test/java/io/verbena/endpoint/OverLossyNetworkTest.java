package io.verbena.endpoint;

import io.verbena.junit.Faults;
import io.verbena.junit.RdmaTest;
import io.verbena.soft.fabric.SimulatedFabric;
import org.junit.jupiter.api.BeforeEach;

@RdmaTest
@Faults("loss=0.03,duplicate=0.03,reorder=0.03")
class OverLossyNetworkTest extends EndpointContract {
    @BeforeEach
    void choose(SimulatedFabric network) {
        address = "10.0.0.1";
        ThreadStarter threads = (builder, task) -> network.start(builder, task::run);
        serverOptions = serverOptions
                .connectionManager(network.host(address).connectionManager())
                .threads(threads);
        clientOptions = clientOptions
                .threads(threads)
                .connectionManager(network.host("10.0.0.2").connectionManager())
                .localAddress("10.0.0.2");
    }
}
