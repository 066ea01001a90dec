package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Several clients of one process that share a hub.
@RdmaTest
class SharedClientsTest extends EndpointFixture {
    private static final int CLIENTS = 20;

    @BeforeEach
    void choose(LoopbackDevices devices) {
        address = devices.address().getHostAddress();
        clientOptions = clientOptions.ownQueues(0);
    }

    private List<Connection> connectAll() {
        List<Connection> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(connect());
        }
        return clients;
    }

    private static String receive(Connection client) {
        try (Message message = client.receive()) {
            return message == null ? null : message.text();
        }
    }

    /// It arrives while the client still connects, and other clients poll the same queue.
    @Test
    void shouldKeepWhatAServerSendsAsSoonAsItHasAccepted() throws Exception {
        serve(client -> {
            client.send("welcome");
            client.receive();
        });
        Connection polling = connect();
        CompletableFuture<Void> polled = new CompletableFuture<>();
        Thread poller = poll(polling, polled);
        try {
            for (Connection client : connectAll()) {
                assertEquals("welcome", receive(client));
                client.close();
            }
        } finally {
            poller.interrupt();
            polled.get(10, TimeUnit.SECONDS);
            polling.close();
        }
    }

    /// A client sends at once, while another thread owns the hub: the completion may come before the hub knows the
    /// client.
    @Test
    void shouldSendAsSoonAsItIsConnected() throws Exception {
        serve(EndpointFixture::echo);
        Connection polling = connect();
        CompletableFuture<Void> polled = new CompletableFuture<>();
        Thread poller = poll(polling, polled);
        try {
            for (int i = 0; i < 100; i++) {
                try (Connection client = connect()) {
                    Pending sent = client.sendAsync("at once".getBytes(StandardCharsets.UTF_8));
                    assertEquals("at once", receive(client));
                    sent.await(LONG);
                }
            }
        } finally {
            poller.interrupt();
            polled.get(10, TimeUnit.SECONDS);
            polling.close();
        }
    }

    private Thread poll(Connection polling, CompletableFuture<Void> polled) throws Exception {
        return start(Thread.ofPlatform(), () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        Message next = polling.tryReceive();
                        if (next != null) {
                            next.close();
                        }
                    }
                    polled.complete(null);
                })
                .get(10, TimeUnit.SECONDS);
    }

    /// It polls for the others again and again meanwhile.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldInterruptAThreadThatPollsForBusyOthers(boolean isVirtual) throws Exception {
        clientOptions = clientOptions.spin(Duration.ofSeconds(5)); // so that it does not sleep first
        serve(EndpointFixture::echo);
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> talked = new CompletableFuture<>();
        CountDownLatch busy = new CountDownLatch(1_000);
        CompletableFuture<Errno> ended = new CompletableFuture<>();
        try (Connection quiet = connect();
                Connection talking = connect()) {
            Thread waiting = start(
                            isVirtual ? Thread.ofVirtual() : Thread.ofPlatform(),
                            () -> ended.complete(assertThrows(RdmaException.class, () -> quiet.receive(LONG))
                                    .errno()))
                    .join();
            start(Thread.ofPlatform(), () -> {
                while (!isOver.get()) {
                    talking.send("hello");
                    receive(talking);
                    busy.countDown();
                }
                talked.complete(null);
            });
            assertTrue(busy.await(60, TimeUnit.SECONDS));
            waiting.interrupt();
            assertEquals(Errno.EINTR, ended.get(4, TimeUnit.SECONDS));
            isOver.set(true);
            talked.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldGoOnWhenOthersAreClosed() {
        serve(EndpointFixture::echo);
        List<Connection> clients = connectAll();
        while (!clients.isEmpty()) {
            clients.removeFirst().close();
            for (Connection client : clients) {
                client.send("still here");
            }
            for (Connection client : clients) {
                assertEquals("still here", receive(client));
            }
        }
        try (Connection next = connect()) { // the hub was closed with the last one
            next.send("again");
            assertEquals("again", receive(next));
        }
    }

    @Test
    void shouldCloseWhileTheServerClosesThem() throws Exception {
        serve(EndpointFixture::echo);
        List<Connection> clients = connectAll();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
        for (Connection client : clients) {
            assertNull(receive(client));
            client.close();
        }
        closed.get(60, TimeUnit.SECONDS);
    }
}
