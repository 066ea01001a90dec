package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.rig.ConnectionEnd;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Connections that nothing is sent over wake no thread.
@EnabledOnOs(OS.LINUX)
class IdleConnectionsTest implements OverSharedMemory {
    private static final Duration LONG_UNTIL_NEXT = Duration.ofSeconds(5);
    private static final int PAUSES = 100;

    private static Engine engine(ConnectionEnd end) {
        return ((SoftContext) end.context).engines().first();
    }

    private static boolean isIdle(ConnectionEnd end) {
        return engine(end).untilNextDeadlineNs() > LONG_UNTIL_NEXT.toNanos();
    }

    @Test
    void shouldHaveNoTimerThatWakesAThreadOnceTheyAreQuiet() {
        try (SharedPair pair = OpenPair.open()) {
            boolean isIdle = false;
            for (int i = 0; i < PAUSES && !isIdle; i++) {
                pair.right.cq.arm();
                assertNull(pair.right.channel.await(Duration.ofMillis(200)));
                isIdle = isIdle(pair.left) && isIdle(pair.right);
            }
            assertTrue(
                    isIdle,
                    () -> "the next timers expire after %d and %d ns"
                            .formatted(
                                    engine(pair.left).untilNextDeadlineNs(),
                                    engine(pair.right).untilNextDeadlineNs()));
        }
    }
}
