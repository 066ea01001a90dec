package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.Wires;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.Availability;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What a device tells of its ways.
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
                "verbena.soft.path is udp",
                sharedMemoryWith(PathOption.PROPERTY, "udp").cause());
        assertEquals(
                "verbena.soft.wire is nio",
                sharedMemoryWith(Wires.KIND_PROPERTY, "nio").cause());
        assertEquals(
                "a capture or faults are asked for, which are about packets",
                sharedMemoryWith(Wires.FAULTS_PROPERTY, "loss=0.01").cause());
        Availability elsewhere = sharedMemoryWith("os.name", "Plan 9");
        assertTrue(elsewhere.cause().startsWith("this is Plan 9 on "), elsewhere.cause());
    }

    @Test
    void shouldNotOpenWhereSharedMemoryIsAMustAndCannotBe() {
        System.setProperty(Wires.KIND_PROPERTY, "nio");
        System.setProperty(PathOption.PROPERTY, "shared");
        try {
            RdmaException failure = assertThrows(RdmaException.class, PathsTest::sharedMemory);
            assertEquals(Errno.EOPNOTSUPP, failure.errno());
            String text = "verbena.soft.path is shared, but verbena.soft.wire is nio; leave it out";
            assertTrue(failure.getMessage().contains(text), failure.getMessage());
        } finally {
            System.clearProperty(Wires.KIND_PROPERTY);
            System.setProperty(PathOption.PROPERTY, "auto");
        }
    }
}
