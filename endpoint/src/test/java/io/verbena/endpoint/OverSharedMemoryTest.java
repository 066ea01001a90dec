package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RdmaTest
class OverSharedMemoryTest extends EndpointContract {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @BeforeEach
    void choose(LoopbackDevices devices) {
        address = devices.address().getHostAddress();
    }

    private static boolean isReached(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// A virtual thread does not poll before it waits for the peer.
    @Test
    void shouldKeepTheInterruptOfAThreadThatClosesAfterThePeer() throws Exception {
        serverOptions = serverOptions.timeout(LIMIT);
        clientOptions = clientOptions.timeout(LIMIT);
        try (Ends ends = connectBoth()) {
            CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
            Thread closing = start(Thread.ofPlatform(), ends.client()::close).join();
            assertNull(ends.served().receive(LIMIT));
            start(Thread.ofVirtual(), () -> {
                Thread.currentThread().interrupt();
                ends.served().close();
                isInterrupted.complete(Thread.interrupted());
            });
            assertTrue(isInterrupted.get(60, TimeUnit.SECONDS));
            assertTrue(closing.join(Duration.ofSeconds(60))); // closing again does not wait for it
        }
    }

    @Test
    void shouldSayWhatKeepsAServerFromListening() {
        server = Endpoint.listen(address, 0, serverOptions);
        int port = server.port();
        assertEquals("server at " + address + ":" + port, server.toString());
        RdmaException taken = refused(Errno.EADDRINUSE, () -> Endpoint.listen(address, port, serverOptions));
        assertEquals(
                "listen at %s:%d: another server has the port; close it, or choose another port (0 takes a free one) (EADDRINUSE, address in use)"
                        .formatted(address, port),
                taken.getMessage());
        RdmaException elsewhere = assertThrows(RdmaException.class, () -> Endpoint.listen("192.0.2.1", port));
        assertTrue(elsewhere.getMessage().startsWith("listen at 192.0.2.1:" + port), elsewhere::getMessage);
        assertThrows(IllegalArgumentException.class, () -> Endpoint.listen(address, 65_536));
        assertThrows(IllegalArgumentException.class, () -> Endpoint.connect(address, -1));
    }

    /// A server at all addresses gets its device with the first client.
    @Test
    void shouldRefuseClientsAsLongAsAnExportCannotBeRegistered() {
        address = "127.0.0.1";
        server = Endpoint.listen("0.0.0.0", 0, serverOptions);
        Export export;
        try (Arena arena = Arena.ofShared()) {
            export = server.export("gone", arena.allocate(64, 8), Access.REMOTE_READ);
        }
        for (int i = 0; i < 2; i++) {
            refused(Errno.ECONNREFUSED, this::connect);
        }
        export.close();
        connect().close();
    }

    /// A callback of what has ended is called by the thread that sets it, while a handler may run in another one.
    @Test
    void shouldLetAThreadWaitAfterItsCallbackRanBesideAHandler() throws Exception {
        try (Ends ends = connectBoth()) {
            CountDownLatch handlerBegan = new CountDownLatch(1);
            CountDownLatch callbackEnded = new CountDownLatch(1);
            CountDownLatch secondCame = new CountDownLatch(1);
            AtomicBoolean isFirst = new AtomicBoolean(true);
            ends.client().handle((connection, message) -> {
                if (isFirst.getAndSet(false)) {
                    handlerBegan.countDown();
                    isReached(callbackEnded);
                } else {
                    secondCame.countDown();
                }
            });
            Pending sent = ends.client().sendAsync(MemorySegment.ofArray(new byte[8]));
            sent.await(LONG);
            AtomicBoolean sawHandler = new AtomicBoolean();
            sent.onDone(problem -> {
                ends.served().send("first");
                sawHandler.set(isReached(handlerBegan));
            });
            callbackEnded.countDown();
            assertTrue(sawHandler.get());
            ends.served().send("second");
            assertTrue(isReached(secondCame)); // so the handler of the first has ended
            start(Thread.ofPlatform(), () -> {
                        ends.served().receive(LONG).close(); // what was sent above
                        try (Message request = ends.served().receive(LONG)) {
                            request.reply("answer");
                        }
                    })
                    .join();
            try (Message answer = ends.client().call("may this thread wait?")) {
                assertEquals("answer", answer.text());
            }
        }
    }
}
