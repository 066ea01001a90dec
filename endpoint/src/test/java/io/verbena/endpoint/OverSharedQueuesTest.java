package io.verbena.endpoint;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import org.junit.jupiter.api.BeforeEach;

/// Clients that share a completion queue with others of their process.
@RdmaTest
class OverSharedQueuesTest extends EndpointContract {
    @BeforeEach
    void choose(LoopbackDevices devices) {
        address = devices.address().getHostAddress();
        clientOptions = clientOptions.ownQueues(0);
    }
}
