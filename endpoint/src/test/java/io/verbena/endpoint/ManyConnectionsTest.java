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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server with many clients, each of which is served by a virtual thread that sleeps in `receive`, and waits in one.
/// `-Dverbena.test.connections=N` makes them more.
@RdmaTest
@Tag("slow")
@Timeout(600)
class ManyConnectionsTest {
    private static final int CONNECTIONS = Integer.getInteger("verbena.test.connections", 500);
    private static final int AT_ONCE = 16;
    private static final Duration LONGEST = Duration.ofSeconds(300);

    /// Both sides are in this process. The buffers of the options below are 5 KiB of it.
    private static final long MOST_BYTES_EACH = 200 << 10;

    private final AtomicInteger answers = new AtomicInteger();
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
    void shouldServeManyClientsByVirtualThreadsThatSleep(LoopbackDevices devices) throws Exception {
        String address = devices.address().getHostAddress();
        try (EndpointServer server = Endpoint.listen(address, 0, options)) {
            Thread.ofVirtual().start(() -> server.serve(EndpointFixture::echo));
            long before = heapBytes();
            List<Connection> clients = connect(address, server.port());
            assertEquals(CONNECTIONS, clients.size());
            long each = (heapBytes() - before) / CONNECTIONS;
            System.out.println("heap of an idle connection, both sides: " + each + " bytes");
            assertTrue(each < MOST_BYTES_EACH, () -> each + " bytes of heap for each connection");
            List<Thread> readers = readInVirtualThreads(clients);
            for (Connection client : clients) {
                client.send("hello");
            }
            for (Thread reader : readers) {
                assertTrue(reader.join(LONGEST), "a client waits for its answer");
            }
            assertEquals(CONNECTIONS, answers.get());
            forAll(clients, Connection::close);
        }
    }

    /// Returns when all of them sleep.
    private List<Thread> readInVirtualThreads(List<Connection> clients) {
        List<Thread> readers = clients.stream()
                .map(client -> Thread.ofVirtual().start(() -> {
                    try (Message answer = client.receive()) {
                        answers.addAndGet(answer.text().equals("hello") ? 1 : 0);
                    }
                }))
                .toList();
        long beganNs = System.nanoTime();
        while (!readers.stream().allMatch(reader -> reader.getState() == Thread.State.TIMED_WAITING)) {
            assertTrue(System.nanoTime() - beganNs < LONGEST.toNanos(), "not all threads sleep in receive");
            Thread.onSpinWait();
        }
        return readers;
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
