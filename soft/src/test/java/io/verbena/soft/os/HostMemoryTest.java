package io.verbena.soft.os;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HostMemoryTest {
    private static final long SEED = 7;
    private static final int MOST_BYTES = 4 * HostMemory.LARGE;

    @Test
    void shouldCopyExactlyTheGivenBytes() {
        Random random = new Random(SEED);
        byte[] bytes = new byte[MOST_BYTES];
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(MOST_BYTES);
            MemorySegment to = arena.allocate(MOST_BYTES);
            for (int i = 0; i < 200; i++) {
                random.nextBytes(bytes);
                from.copyFrom(MemorySegment.ofArray(bytes));
                random.nextBytes(bytes);
                to.copyFrom(MemorySegment.ofArray(bytes));
                int length = HostMemory.LARGE + random.nextInt(2 * HostMemory.LARGE);
                int fromAt = random.nextInt(MOST_BYTES - length + 1);
                int toAt = random.nextInt(MOST_BYTES - length + 1);
                MemorySegment wanted = MemorySegment.ofArray(bytes);
                MemorySegment.copy(from, fromAt, wanted, toAt, length);

                HostMemory.copyLarge(from.address() + fromAt, to.address() + toAt, length);

                assertEquals(-1, wanted.mismatch(to), "seed " + SEED + ", copy " + i);
            }
        }
    }
}
