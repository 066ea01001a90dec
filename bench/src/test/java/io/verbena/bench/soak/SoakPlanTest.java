package io.verbena.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SoakPlanTest {
    private static final int KINDS = SoakPlan.Kind.values().length;

    private static List<SoakPlan.Turn> turns(long seed) {
        return Stream.generate(new SoakPlan(seed)::next).limit(3L * KINDS).toList();
    }

    @Test
    void shouldFollowFromTheSeed() {
        assertEquals(turns(5), turns(5));
        assertNotEquals(turns(5), turns(6));
    }

    @Test
    void shouldHaveEveryKindBeforeOneComesAgain() {
        List<SoakPlan.Turn> turns = turns(5);
        for (int from = 0; from < turns.size(); from += KINDS) {
            EnumSet<SoakPlan.Kind> kinds = EnumSet.noneOf(SoakPlan.Kind.class);
            turns.subList(from, from + KINDS).forEach(turn -> kinds.add(turn.kind()));
            assertEquals(EnumSet.allOf(SoakPlan.Kind.class), kinds);
        }
    }
}
