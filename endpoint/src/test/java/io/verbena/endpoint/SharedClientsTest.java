package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
