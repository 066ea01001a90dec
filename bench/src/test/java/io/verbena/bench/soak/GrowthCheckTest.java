package io.verbena.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.verbena.bench.side.Sample;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class GrowthCheckTest {
    private static GrowthCheck watch(int count, IntFunction<Sample> samples) {
        GrowthCheck watch = new GrowthCheck();
        for (int i = 0; i < count; i++) {
            watch.add(samples.apply(i));
        }
        return watch;
    }

    @Test
    void shouldFindNothingWhenAllStaysAboutTheSame() {
        GrowthCheck watch =
                watch(100, i -> new Sample(100_000 + i % 7 * 1000, 5000 + i % 5 * 100, 60 + i % 3, 30 + i % 2));
        assertEquals(List.of(), watch.growth());
    }

    @Test
    void shouldFindDescriptorsThatLeak() {
        GrowthCheck watch = watch(100, i -> new Sample(100_000, 5000, 60 + i / 5, 30));
        assertEquals(List.of("descriptors grew from 67 in the first third to 77 in the last"), watch.growth());
    }

    @Test
    void shouldFindMemoryAndThreadsThatLeak() {
        GrowthCheck watch = watch(100, i -> new Sample(100_000 + i * 1000, 5000 + i * 100, 60, 30 + i / 4));
        assertEquals(3, watch.growth().size(), () -> watch.growth().toString());
    }

    @Test
    void shouldForgiveGrowthInTheWarmUp() {
        GrowthCheck watch =
                watch(100, i -> new Sample(i < 20 ? 1000 : 100_000, i < 20 ? 100 : 9000, i < 20 ? 5 : 60, 30));
        assertEquals(List.of(), watch.growth());
    }

    @Test
    void shouldNotJudgeFewSamples() {
        GrowthCheck watch = watch(8, i -> new Sample(1000 * i * i, 5000, 60 * i, 30));
        assertFalse(watch.isLongEnough());
        assertEquals(List.of(), watch.growth());
    }
}
