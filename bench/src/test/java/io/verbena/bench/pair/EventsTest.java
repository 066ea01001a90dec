package io.verbena.bench.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.side.Measurement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class EventsTest {
    @Test
    void shouldPassThroughOneLine() {
        Events events = new Events(Map.of("checks by the device's thread", 12L, "timers = that expired", 3L));
        assertEquals(events, Events.parse(events.toString()));
        assertEquals(Events.NONE, Events.parse(Events.NONE.toString()));
    }

    @Test
    void shouldSayWhatWasCountedInBetween() {
        Events before = new Events(Map.of("a", 5L, "b", 7L));
        Events after = new Events(Map.of("a", 9L, "b", 7L, "c", 1L));
        assertEquals(Map.of("a", 4L, "c", 1L), after.since(before).counts());
    }

    @Test
    void shouldCountTheMachineOnceWhenBothSidesReportIt() {
        Events client = new Events(Map.of("a", 1L, Events.INTERRUPTS, 100L, Events.PREEMPTIONS, 2L));
        Events server = new Events(Map.of("a", 2L, Events.INTERRUPTS, 110L, Events.PREEMPTIONS, 3L));
        assertEquals(
                Map.of("a", 3L, Events.INTERRUPTS, 110L, Events.PREEMPTIONS, 5L),
                client.plus(server).counts());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldAskTheKernelAndTheSide() {
        Map<String, Long> counts = Events.now(new Silent()).counts();
        assertEquals(7, counts.get("of the side"));
        assertTrue(counts.get(Events.INTERRUPTS) > 0);
        assertTrue(counts.get(Events.PREEMPTIONS) >= 0);
    }

    private static final class Silent implements BenchSide {
        @Override
        public String address() {
            return "";
        }

        @Override
        public void accept() {}

        @Override
        public void connect(String address) {}

        @Override
        public void prepare(Measurement measurement, long messages) {}

        @Override
        public void run(Measurement measurement, long messages, Samples samples) {}

        @Override
        public Map<String, Long> counters() {
            return Map.of("of the side", 7L);
        }

        @Override
        public void close() {}
    }
}
