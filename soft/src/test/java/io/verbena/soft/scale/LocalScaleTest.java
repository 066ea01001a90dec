package io.verbena.soft.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import java.net.InetAddress;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Many connections between two processes, all of them through shared memory.
@EnabledOnOs(OS.LINUX)
class LocalScaleTest implements OverSharedMemory {
    /// Heap and shared memory together, on each side.
    private static final long MOST_BYTES_IDLE = 48 * 1024;

    /// So many that what the JVM takes up once, some 15 MB for code and garbage, does not count.
    @Test
    void shouldConnectManyQueuePairsThroughSharedMemory() throws Exception {
        connectAll(1_500, 200);
    }

    @Test
    @Tag("slow")
    void shouldConnectTenThousandQueuePairsThroughSharedMemory() throws Exception {
        connectAll(10_000, 600);
    }

    private static void connectAll(int count, int heapMegabytes) throws Exception {
        InetAddress here = Loopback.next();
        InetAddress there = Loopback.next();
        try (ManyQueuePairs all = new ManyQueuePairs(here, count);
                ScaleProcess process = new ScaleProcess(there, here, count, heapMegabytes)) {
            all.create(count);
            all.connect(there, process.line());
            all.postReceives();
            process.tell(all.numbers());
            assertEquals("ready", process.line());
            for (int i = 0; i < count; i++) {
                all.send(i, ScalePeer.QUESTION);
            }
            all.exchange(ScalePeer.ANSWER, 0);
            assertEquals(count, all.counter(Counter.SHARED_MESSAGES), all::counters);
            assertEquals(0, all.counter(Counter.PACKETS_SENT), all::counters);
            assertEquals(0, all.counter(Counter.PACKETS_RECEIVED), all::counters);
            long[] bytes = Stream.of(process.line().split(" "))
                    .mapToLong(Long::parseLong)
                    .toArray();
            process.tell("thanks");
            System.out.printf(
                    "%d local queue pairs: idle %d bytes of heap and %d of other memory each; after one message each"
                            + " way %d and %d%n",
                    count, bytes[0], bytes[1], bytes[2], bytes[3]);
            assertTrue(
                    LongStream.of(bytes).limit(2).sum() <= MOST_BYTES_IDLE,
                    () -> "an idle connection takes up %d + %d bytes".formatted(bytes[0], bytes[1]));
            process.awaitEnd();
        }
    }
}
