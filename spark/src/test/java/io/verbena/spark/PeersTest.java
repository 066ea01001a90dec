package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeersTest {
    private static final int LONGEST_S = 20;

    private final CountDownLatch isAsked = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    /// A driver that takes its time.
    private AddressBook.Address ask(String executor) {
        isAsked.countDown();
        try {
            assertTrue(mayAnswer.await(2 * LONGEST_S, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return AddressBook.Address.none("the test has no executor " + executor);
    }

    @Test
    void shouldNotWaitForAnExecutorThatIsBeingConnectedTo() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                Peers peers = new Peers("127.0.0.1", this::ask, 1 << 20, Duration.ofSeconds(2), threads);
                Future<Peer> connecting = threads.submit(() -> peers.peer("1"));
                assertTrue(isAsked.await(LONGEST_S, TimeUnit.SECONDS));
                threads.submit(() -> peers.forget(1)).get(LONGEST_S, TimeUnit.SECONDS);
                mayAnswer.countDown();
                assertThrows(ExecutionException.class, () -> connecting.get(LONGEST_S, TimeUnit.SECONDS));
            } finally {
                mayAnswer.countDown(); // else the executor's close waits for it
            }
        }
    }
}
