package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.Availability;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The paths that a context reports.
@EnabledOnOs(OS.LINUX)
class PathsTest implements OverSharedMemory {
    private static Availability sharedMemory() {
        try (Context context = LoopbackPair.openDevice(Loopback.next())) {
            assertEquals(
                    List.of("UDP", "shared memory"), List.copyOf(context.paths().keySet()));
            assertTrue(context.paths().get("UDP").isAvailable());
            return context.paths().get("shared memory");
        }
    }

    private static Availability sharedMemoryWith(String property, String value) {
        String before = System.getProperty(property);
        System.setProperty(property, value);
        try {
            return sharedMemory();
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }

    @Test
    void shouldHaveBothWhereNobodySaysOtherwise() {
        assertEquals(Availability.AVAILABLE, sharedMemory());
    }

    @Test
    void shouldSayWhatForbidsSharedMemory() {
        assertEquals(
                "the path is udp", sharedMemoryWith(SoftProperties.PATH, "udp").cause());
        assertEquals(
                "packets go through a DatagramChannel",
                sharedMemoryWith(SoftProperties.SOCKET, "nio").cause());
        assertEquals(
                "a capture or faults are asked for, which are about packets",
                sharedMemoryWith(SoftProperties.FAULTS, "loss=0.01").cause());
        Availability elsewhere = sharedMemoryWith("os.name", "Plan 9");
        assertTrue(elsewhere.cause().startsWith("this is Plan 9 on "), elsewhere.cause());
    }

    @Test
    void shouldNotOpenWhereSharedMemoryIsAMustAndCannotBe() {
        System.setProperty(SoftProperties.SOCKET, "nio");
        System.setProperty(SoftProperties.PATH, "shared");
        try {
            RdmaException failure = assertThrows(RdmaException.class, PathsTest::sharedMemory);
            assertEquals(Errno.EOPNOTSUPP, failure.errno());
            String text =
                    "the path is shared (verbena.soft.path), but packets go through a DatagramChannel; leave out verbena.soft.wire";
            assertTrue(failure.getMessage().contains(text), failure.getMessage());
        } finally {
            System.clearProperty(SoftProperties.SOCKET);
            System.setProperty(SoftProperties.PATH, "auto");
        }
    }
}
