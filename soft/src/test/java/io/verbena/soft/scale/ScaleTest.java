package io.verbena.soft.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.net.Loopback;
import java.net.InetAddress;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A thousand connections between two processes.
class ScaleTest {
    private static final int COUNT = 1000;
    private static final long MOST_BYTES_IDLE = 16 * 1024;

    @Test
    void shouldExchangeMessagesOverAThousandQueuePairsOfTwoProcesses() throws Exception {
        InetAddress here = Loopback.next();
        InetAddress there = Loopback.next();
        try (ManyQueuePairs all = new ManyQueuePairs(here, COUNT);
                ScaleProcess process = new ScaleProcess(there, here, COUNT, 128)) {
            all.create(COUNT);
            all.connect(there, process.line());
            all.postReceives();
            process.tell(all.numbers());
            assertEquals("ready", process.line());
            for (int i = 0; i < COUNT; i++) {
                all.send(i, ScalePeer.QUESTION);
            }
            all.exchange(ScalePeer.ANSWER, 0);
            long[] bytes = Stream.of(process.line().split(" "))
                    .mapToLong(Long::parseLong)
                    .toArray();
            process.tell("thanks");
            System.out.printf(
                    "%d queue pairs: idle %d bytes of heap and %d native each; after one message each way %d and %d%n",
                    COUNT, bytes[0], bytes[1], bytes[2], bytes[3]);
            assertTrue(
                    LongStream.of(bytes).limit(2).sum() < MOST_BYTES_IDLE,
                    () -> "an idle queue pair takes up %d + %d bytes".formatted(bytes[0], bytes[1]));
            process.awaitEnd();
        }
    }
}
