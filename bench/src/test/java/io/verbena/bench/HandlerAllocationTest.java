package io.verbena.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.verbena.endpoint.Connection;
import io.verbena.endpoint.Endpoint;
import io.verbena.endpoint.EndpointOptions;
import io.verbena.endpoint.EndpointServer;
import io.verbena.verbs.Rdma;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Handlers of both sides send and receive without garbage, counted by the JVM itself.
@Timeout(120)
class HandlerAllocationTest {
    private static final int WARM_UP = 60_000;
    private static final int MESSAGES = 100_000;
    private static final int ROUNDS = 5;
    /// Less than a byte for each message. Not 0: a thread that sleeps, as it does where processors are busy, allocates
    /// a little.
    private static final long NEARLY_NOTHING = MESSAGES;

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private final MemorySegment bytes = Arena.global().allocate(64, 8);
    private final Semaphore done = new Semaphore(0);
    private int left;
    private long before;
    private long allocated;

    /// The client's handler: sends the next message for each answer.
    private void onAnswer(Connection connection) {
        left--;
        if (left > 0) {
            assertTrue(connection.trySend(bytes), "an answer brings a credit");
        } else {
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            done.release();
        }
    }

    private void run(Connection client, int messages) throws InterruptedException {
        left = messages;
        client.send(bytes);
        assertTrue(done.tryAcquire(60, TimeUnit.SECONDS), "all were answered");
    }

    @Test
    void shouldLeaveNoGarbageWhenHandlersSendAndReceive() throws InterruptedException {
        EndpointOptions options = EndpointOptions.defaults()
                .connectionManager(Rdma.provider("soft").connectionManager());
        try (EndpointServer server = Endpoint.listen("127.0.0.1", 0, options)) {
            Thread.ofVirtual().start(() -> server.handle((served, message) -> served.trySend(message.memory())));
            try (Connection client = Endpoint.connect("127.0.0.1", server.port(), options)) {
                client.handle((connection, message) -> {
                    before = left == MESSAGES ? THREADS.getCurrentThreadAllocatedBytes() : before;
                    onAnswer(connection);
                });
                run(client, WARM_UP);
                long least = Long.MAX_VALUE;
                for (int round = 0; round < ROUNDS && least >= NEARLY_NOTHING; round++) {
                    run(client, MESSAGES);
                    least = Math.min(least, allocated);
                }
                long garbage = least;
                assertTrue(garbage < NEARLY_NOTHING, () -> MESSAGES + " messages left " + garbage + " bytes");
            }
        }
    }
}
