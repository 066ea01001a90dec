package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server with ten thousand clients, each of which is served by a virtual thread that sleeps in `receive`.
@RdmaTest
@Tag("slow")
@Timeout(600)
class ManyConnectionsTest {
    private static final int CONNECTIONS = Integer.getInteger("verbena.test.connections", 10_000);
    private static final int AT_ONCE = 16;

    /// Both sides are in this process. The buffers of the options below are 5 KiB of it.
    private static final long MOST_BYTES_EACH = 200 << 10;

    private final EndpointOptions options = EndpointOptions.defaults()
            .credits(4)
            .bufferBytes(256)
            .sendRequests(16)
            .timeout(Duration.ofSeconds(300))
            .connectTimeout(Duration.ofSeconds(60));

    private static long heapBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void shouldServeTenThousandClientsByVirtualThreadsThatSleep(LoopbackDevices devices) throws Exception {
        String address = devices.address().getHostAddress();
        try (EndpointServer server = Endpoint.listen(address, 0, options)) {
            Thread.ofVirtual().start(() -> server.serve(EndpointFixture::echo));
            long before = heapBytes();
            List<Connection> clients = connect(address, server.port());
            assertEquals(CONNECTIONS, clients.size());
            long each = (heapBytes() - before) / CONNECTIONS;
            System.out.println("heap of an idle connection, both sides: " + each + " bytes");
            assertTrue(each < MOST_BYTES_EACH, () -> each + " bytes of heap for each connection");
            for (Connection client : clients) {
                client.send("hello");
            }
            for (Connection client : clients) {
                try (Message answer = client.receive()) {
                    assertEquals("hello", answer.text());
                }
            }
            forAll(clients, Connection::close);
        }
    }

    private List<Connection> connect(String address, int port) throws Exception {
        ConcurrentLinkedQueue<Connection> clients = new ConcurrentLinkedQueue<>();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            numbers.add(i);
        }
        forAll(numbers, _ -> clients.add(Endpoint.connect(address, port, options)));
        return List.copyOf(clients);
    }

    private interface Step<T> {
        void accept(T each);
    }

    /// A few at a time.
    private static <T> void forAll(List<T> all, Step<T> step) throws InterruptedException {
        ConcurrentLinkedQueue<Throwable> problems = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(all.size());
        Semaphore atOnce = new Semaphore(AT_ONCE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (T each : all) {
                threads.execute(() -> {
                    atOnce.acquireUninterruptibly();
                    try {
                        step.accept(each);
                    } catch (Throwable e) {
                        problems.add(e);
                    } finally {
                        atOnce.release();
                        done.countDown();
                    }
                });
            }
            assertTrue(done.await(300, TimeUnit.SECONDS), () -> done.getCount() + " are not done; " + problems.peek());
        }
        assertTrue(problems.isEmpty(), () -> problems.size() + " failed, the first: " + problems.peek());
    }
}
