package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimersTest {
    private final Timers timers = new Timers();
    private final List<Numbered> expired = new ArrayList<>();

    private final class Numbered extends Timer {
        final int number;

        Numbered(int number) {
            this.number = number;
        }

        @Override
        public void onExpiry(long nowNs) {
            assertFalse(isArmed(), "disarmed before it runs");
            assertTrue(deadlineNs - nowNs <= 0, "not before its time");
            expired.add(this);
        }
    }

    private int expire(long nowNs) {
        return timers.expire(nowNs, fault -> {
            throw fault;
        });
    }

    /// Starts shortly before the clock overflows, as the simulated network does.
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldExpireLikeASortedListWhateverIsArmedMovedAndCancelled(long seed) {
        Random random = new Random(seed);
        long now = Long.MAX_VALUE - 5_000;
        Numbered[] all = new Numbered[50];
        Map<Integer, Long> model = new HashMap<>();
        for (int i = 0; i < all.length; i++) {
            all[i] = new Numbered(i);
        }
        for (int step = 0; step < 20_000; step++) {
            int i = random.nextInt(all.length);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    long deadline = now + random.nextInt(200);
                    timers.arm(all[i], deadline);
                    model.put(i, deadline);
                }
                case 2 -> {
                    timers.cancel(all[i]);
                    model.remove(i);
                }
                default -> {
                    now += random.nextInt(20);
                    expireAndCompare(now, model, "seed " + seed + ", step " + step);
                }
            }
            assertEquals(model.size(), timers.size(), "seed " + seed);
            assertEquals(model.containsKey(i), all[i].isArmed(), "seed " + seed);
        }
    }

    private void expireAndCompare(long now, Map<Integer, Long> model, String run) {
        expired.clear();
        int count = expire(now);
        TreeSet<Integer> due = new TreeSet<>();
        model.forEach((number, deadline) -> {
            if (deadline - now <= 0) {
                due.add(number);
            }
        });
        assertEquals(due, new TreeSet<>(expired.stream().map(t -> t.number).toList()), run);
        assertEquals(due.size(), count, run);
        due.forEach(model::remove);
        long next = model.values().stream().mapToLong(d -> d - now).min().orElse(Timers.NEVER_NS);
        long told = timers.untilNextNs(now);
        assertTrue(told <= next, run + ": says " + told + ", is " + next);
    }

    @Test
    void shouldLetATimerArmItselfAgain() {
        int[] runs = {0};
        Timer again = new Timer() {
            @Override
            public void onExpiry(long nowNs) {
                if (++runs[0] < 5) {
                    timers.arm(this, nowNs + 10);
                }
            }
        };
        timers.arm(again, 10);
        for (long now = 0; now < 100; now += 10) {
            expire(now);
        }
        assertEquals(5, runs[0]);
    }

    @Test
    void shouldLetATimerCancelAnotherThatIsDueToo() {
        Numbered other = new Numbered(1);
        Timer first = new Timer() {
            @Override
            public void onExpiry(long nowNs) {
                timers.cancel(other);
            }
        };
        timers.arm(first, 1);
        timers.arm(other, 2);
        assertEquals(1, expire(10));
        assertEquals(List.of(), expired);
    }

    @Test
    void shouldSayNeverWhenNothingIsArmed() {
        assertEquals(Timers.NEVER_NS, timers.untilNextNs(123));
    }
}
