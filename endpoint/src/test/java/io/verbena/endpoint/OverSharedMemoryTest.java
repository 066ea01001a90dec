package io.verbena.endpoint;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import org.junit.jupiter.api.BeforeEach;

@RdmaTest
class OverSharedMemoryTest extends EndpointContract {
    @BeforeEach
    void choose(LoopbackDevices devices) {
        address = devices.address().getHostAddress();
    }
}
