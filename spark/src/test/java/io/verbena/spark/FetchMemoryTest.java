package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FetchMemoryTest {
    private static final long SMALL = 64 << 10;
    private static final long LARGE = 1 << 20;

    private final AtomicLong allBytes = new AtomicLong();
    private final AtomicInteger emptied = new AtomicInteger();
    private final List<Long> closed = new ArrayList<>();

    /// Lengths of regions that do not let themselves be closed.
    private final Set<Long> stuck = new HashSet<>();

    private final FetchMemory memory =
            new FetchMemory(this::allocate, allBytes, 2 * (SMALL + LARGE), () -> {}, emptied::incrementAndGet);

    private MemoryRegion allocate(long bytes) {
        MemorySegment segment = Arena.ofAuto().allocate(bytes);
        return (MemoryRegion) Proxy.newProxyInstance(
                MemoryRegion.class.getClassLoader(),
                new Class<?>[] {MemoryRegion.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "memory":
                            return segment;
                        case "close":
                            closed.add(bytes);
                            if (stuck.contains(bytes)) {
                                throw new RdmaException("close region", Errno.EBUSY, "the test keeps it");
                            }
                            return null;
                        default:
                            throw new UnsupportedOperationException(method.getName());
                    }
                });
    }

    @Test
    void shouldCloseEachRegionOnceWhenOneOfThemFails() {
        MemoryRegion small = memory.take(SMALL);
        MemoryRegion large = memory.take(LARGE);
        memory.give(small);
        memory.give(large);
        stuck.add(SMALL);
        memory.closeIdle();
        memory.closeIdle();
        assertEquals(List.of(SMALL, LARGE), closed);
        assertEquals(SMALL, allBytes.get()); // which is still registered
    }

    @Test
    void shouldEndAfterTheLastRegionCameBackEvenIfItDoesNotClose() {
        MemoryRegion region = memory.take(SMALL);
        assertNotNull(region);
        stuck.add(SMALL);
        memory.close();
        assertEquals(0, emptied.get());
        memory.give(region);
        assertEquals(1, emptied.get());
        assertNull(memory.take(SMALL));
    }
}
