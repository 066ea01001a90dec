package io.verbena.soft;

import io.verbena.soft.local.PathOption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// For tests whose reliable connections go through shared memory. The others of this module are about packets.
public interface OverSharedMemory {
    @BeforeAll
    static void shareMemory() {
        System.setProperty(PathOption.PROPERTY, "auto");
    }

    @AfterAll
    static void useTheNetworkAgain() {
        System.setProperty(PathOption.PROPERTY, "udp");
    }
}
