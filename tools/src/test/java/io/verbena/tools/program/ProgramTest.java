package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgramTest {
    @Test
    void shouldReadUserAndKernelTimeBehindANameWithSpaces() {
        var time = CpuTime.parse("4 (a) b (c) S 1 4 4 0 -1 4194560 10 0 0 0 123 45 0 0 20 0 1 0 6 7 8");
        assertEquals(new CpuTime(Duration.ofMillis(1230), Duration.ofMillis(450)), time);
        assertEquals(Duration.ofMillis(1680), time.total());
    }

    @Test
    void shouldTellHowFarARunIs() {
        assertEquals("1,500 of 3,000 (50 %)", Progress.text(1500, 3000));
        assertEquals("1,500", Progress.text(1500, 0));
    }

    @Test
    void shouldCountTheTimeOfThisProcess() {
        assertTrue(CpuTime.now().total().isPositive());
    }
}
