package io.verbena.soft.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.limit.Quota;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.RecordedEvents;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.Context;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/// What devices tell the flight recorder.
class DeviceEventsTest {
    private static final String ADDRESS = Loopback.next().getHostAddress();

    private static Context open() {
        return new SoftProvider().device(ADDRESS).orElseThrow().open();
    }

    @Test
    void shouldTellASlowWaitWithItsStack() {
        try (var recorded = new RecordedEvents("SlowWait");
                Context context = open();
                CompletionChannel channel = context.createCompletionChannel()) {
            assertNull(channel.await(Duration.ofMillis(20)));
            List<RecordedEvent> waits = recorded.of("SlowWait").stream()
                    .filter(event -> event.getThread().getJavaThreadId()
                            == Thread.currentThread().threadId())
                    .toList();
            assertFalse(waits.isEmpty());
            assertTrue(waits.getFirst().getString("what").contains("completion"), waits::toString);
            assertFalse(waits.getFirst().getStackTrace().getFrames().isEmpty());
        }
    }

    @Test
    void shouldTellThatALimitIsReached() {
        try (var recorded = new RecordedEvents("Refusal")) {
            Quota quota = new Quota("test objects", 1);
            quota.take("make a test object");
            assertThrows(RdmaException.class, () -> quota.take("make a test object"));
            RecordedEvent refusal = recorded.of("Refusal").stream()
                    .filter(event -> event.getString("what").equals("make a test object"))
                    .findFirst()
                    .orElseThrow();
            assertEquals(1, refusal.getLong("limit"));
            assertEquals("the device has no more test objects", refusal.getString("reason"));
        }
    }

    @Test
    void shouldSampleTheCountersOfOpenDevicesOnly() {
        try (var recorded = RecordedEvents.atTheEnd("DeviceCounters");
                Context context = open()) {
            context.allocateProtectionDomain().close();
            assertTrue(recorded.of("DeviceCounters").stream()
                    .anyMatch(event -> event.getString("device").equals(ADDRESS)));
        }
        try (var recorded = RecordedEvents.atTheEnd("DeviceCounters")) {
            assertTrue(recorded.of("DeviceCounters").stream()
                    .noneMatch(event -> event.getString("device").equals(ADDRESS)));
        }
    }
}
