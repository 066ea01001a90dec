package io.verbena.soft.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultPlanTest {
    private static final String FULL = "loss=0.01,duplicate=0.001,reorder=0.02,corrupt=0.03,delay=10us..1ms,seed=42";

    @Test
    void shouldReadAllParts() {
        FaultPlan plan = FaultPlan.parse(FULL);
        assertEquals(0.01, plan.loss());
        assertEquals(0.001, plan.duplicate());
        assertEquals(0.02, plan.reorder());
        assertEquals(0.03, plan.corrupt());
        assertEquals(Duration.ofNanos(10_000), plan.shortestDelay());
        assertEquals(Duration.ofMillis(1), plan.longestDelay());
        assertEquals(42, plan.seed());
        assertEquals(FULL, plan.toString());
    }

    @Test
    void shouldReadSomeParts() {
        assertEquals(FaultPlan.none(), FaultPlan.parse(""));
        assertEquals(FaultPlan.none().withLoss(1).withSeed(0xFF), FaultPlan.parse(" loss = 1 , seed=0xff,"));
        FaultPlan fixed = FaultPlan.parse("delay=3s");
        assertEquals(fixed.shortestDelay(), fixed.longestDelay());
        assertEquals("delay=3s..3s,seed=0", fixed.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            loss=1.5          | loss=1.5: a probability is from 0 to 1
            corrupt=-0.1      | corrupt=-0.1: a probability is from 0 to 1
            reorder=NaN       | reorder=NaN: a probability is from 0 to 1
            duplicate=often   | duplicate=often: a probability is a number from 0 to 1
            lost=0.1          | lost=0.1: there is no such fault
            loss              | loss: there is no such fault
            delay=10          | delay=10: a time is a whole number with ns, us, ms or s
            delay=1ms..       | delay=1ms..: a time is a whole number with ns, us, ms or s
            delay=2ms..1ms    | delay=2ms..1ms: give times that are not negative, the shortest first
            seed=x            | seed=x: a seed is a whole number
            """)
    void shouldExplainBadText(String text, String start) {
        String message = assertThrows(IllegalArgumentException.class, () -> FaultPlan.parse("loss=0.5," + text))
                .getMessage();
        assertTrue(message.startsWith(start), message);
    }

    @Test
    void shouldRefuseRulesThatMeanNothing() {
        FaultPlan none = FaultPlan.none();
        assertThrows(IllegalArgumentException.class, () -> none.dropWhen(FrameMatcher.any(), 0));
        assertThrows(IllegalArgumentException.class, () -> none.when(FrameMatcher.any(), Fault.DELAY, 1));
        assertEquals("seed=0 and 1 rules", none.dropNth(3).toString());
    }
}
