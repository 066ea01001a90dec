package io.verbena.report.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MeasureTest {
    @Test
    void shouldReadUserAndKernelTimeBehindANameWithSpaces() {
        var time = CpuTime.parse("4 (a) b (c) S 1 4 4 0 -1 4194560 10 0 0 0 123 45 0 0 20 0 1 0 6 7 8");
        assertEquals(new CpuTime(Duration.ofMillis(1230), Duration.ofMillis(450)), time);
        assertEquals(Duration.ofMillis(1680), time.total());
    }

    @Test
    void shouldCountTheTimeOfThisProcess() {
        assertTrue(CpuTime.now().total().isPositive());
        assertTrue(CpuTime.ofThreadsNs() > 0);
    }

    @Test
    void shouldCountWhatThisThreadAllocates() {
        var meter = new UsageMeter();
        meter.start();
        byte[] bytes = new byte[100_000];
        meter.stop();
        assertTrue(meter.allocated() >= bytes.length, () -> meter.allocated() + " bytes");
    }

    @Test
    void shouldRecordEachRoundTripOnceAndHalfOfItWhenAsked() {
        var whole = new RoundTrips();
        var half = new RoundTrips(true);
        for (RoundTrips trips : new RoundTrips[] {whole, half}) {
            trips.begin();
            trips.record(); // nothing has ended yet
            long start = trips.beginRoundTrip();
            long end = trips.endRoundTrip();
            trips.record();
            trips.record();
            assertEquals(1, trips.histogram().getTotalCount());
            assertEquals(end, trips.lastNs());
            double expected = trips == half ? (end - start) >> 1 : end - start;
            assertEquals(expected, trips.histogram().getMaxValue(), expected * 0.001 + 1);
        }
        whole.restart();
        assertEquals(0, whole.histogram().getTotalCount());
    }
}
