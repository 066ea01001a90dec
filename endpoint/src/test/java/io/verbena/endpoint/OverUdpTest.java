package io.verbena.endpoint;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftPath;
import io.verbena.verbs.Context;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

@RdmaTest
class OverUdpTest extends EndpointContract {
    private Context left;
    private Context right;

    @BeforeEach
    void choose(LoopbackDevices devices) {
        left = devices.open(SoftOptions.defaults().path(SoftPath.UDP));
        right = devices.open(SoftOptions.defaults().path(SoftPath.UDP));
        address = devices.address(left).getHostAddress();
        clientOptions = clientOptions.localAddress(devices.address(right).getHostAddress());
    }

    @AfterEach
    void close() {
        closeServer();
        left.close();
        right.close();
    }
}
