package io.verbena.soft.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NumberSequenceTest {
    private static final int NUMBERS = 1 << NumberSequence.BITS;

    @Test
    void shouldGiveEachNumberOnceBeforeAnyComesAgain() {
        NumberSequence sequence = new NumberSequence(new Random(5));
        int first = sequence.next();
        BitSet seen = new BitSet(NUMBERS);
        seen.set(first);
        for (int i = 1; i < NUMBERS; i++) {
            seen.set(sequence.next());
        }
        assertEquals(NUMBERS, seen.cardinality());
        assertEquals(first, sequence.next());
    }

    @Test
    void shouldGiveNumbersInAnotherOrderUnderOtherKeys() {
        NumberSequence one = new NumberSequence(new Random(5));
        NumberSequence other = new NumberSequence(new Random(6));
        int same = 0;
        for (int i = 0; i < 10_000; i++) {
            same += one.next() == other.next() ? 1 : 0;
        }
        assertTrue(same <= 1, "equal: " + same);
    }

    /// Steps between neighbours would repeat if something of the counter showed.
    @Test
    void shouldTakeStepsThatDoNotRepeat() {
        NumberSequence sequence = new NumberSequence(new Random(7));
        BitSet steps = new BitSet(NUMBERS);
        int last = sequence.next();
        for (int i = 0; i < 1000; i++) {
            int next = sequence.next();
            steps.set(next - last & NUMBERS - 1);
            last = next;
        }
        assertTrue(steps.cardinality() > 997, "different steps: " + steps.cardinality());
    }
}
