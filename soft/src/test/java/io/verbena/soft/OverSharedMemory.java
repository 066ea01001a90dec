package io.verbena.soft;

import io.verbena.soft.option.SoftProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// For tests whose reliable connections go through shared memory. The others of this module are about packets.
public interface OverSharedMemory {
    @BeforeAll
    static void shareMemory() {
        System.setProperty(SoftProperties.PATH, "auto");
    }

    @AfterAll
    static void useTheNetworkAgain() {
        System.setProperty(SoftProperties.PATH, "udp");
    }
}
