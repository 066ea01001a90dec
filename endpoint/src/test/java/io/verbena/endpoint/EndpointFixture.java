package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/// A server and clients, on devices that subclasses choose.
@Timeout(120)
abstract class EndpointFixture {
    /// In a simulated network threads that are blocked elsewhere take real time, and the virtual clock does not wait
    /// for them. Waits without an end are not affected; the timeout of the tests ends them.
    static final Duration LONG = ConnectionLink.FOR_EVER;
    static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONGEST_SPIN = Duration.ofMinutes(1);

    /// As short as it may be for waits that should succeed in part: longer than it takes to send packets again where
    /// some are lost.
    Duration shortest = SHORT;

    EndpointOptions serverOptions = EndpointOptions.defaults().timeout(LONG);
    EndpointOptions clientOptions = EndpointOptions.defaults().timeout(LONG);
    String address;
    EndpointServer server;

    @AfterEach
    void closeServer() {
        if (server != null) {
            server.close();
        }
    }

    void serve(Consumer<Connection> handler) {
        server = Endpoint.listen(address, 0, serverOptions);
        start(Thread.ofPlatform(), () -> server.serve(handler));
    }

    CompletableFuture<Thread> start(Thread.Builder builder, Runnable task) {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        clientOptions.threads().start(builder, () -> {
            thread.complete(Thread.currentThread());
            task.run();
        });
        return thread;
    }

    /// The two ends of a connection.
    record Ends(Connection client, Connection served, EndpointOptions options) implements AutoCloseable {
        @Override
        public void close() {
            CompletableFuture<Void> other = new CompletableFuture<>();
            options.threads().start(Thread.ofPlatform(), () -> {
                try {
                    served.close();
                    other.complete(null);
                } catch (RuntimeException e) {
                    other.completeExceptionally(e);
                }
            });
            client.close();
            other.join();
        }
    }

    Ends connectBoth() throws Exception {
        server = Endpoint.listen(address, 0, serverOptions);
        CompletableFuture<Connection> served = new CompletableFuture<>();
        start(Thread.ofPlatform(), () -> served.complete(server.accept(LONG)));
        Connection client = connect();
        return new Ends(client, served.get(LONG.toSeconds(), TimeUnit.SECONDS), clientOptions);
    }

    Connection connect() {
        return Endpoint.connect(address, server.port(), clientOptions);
    }

    static void echo(Connection connection) {
        for (Message message : connection) {
            if (message.isRequest()) {
                message.reply(message.memory());
            } else {
                connection.send(message);
            }
        }
    }

    static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /// Asks again and again, without sleeping: JUnit's time limit only interrupts, which such a loop does not notice.
    static void spinUntil(String what, BooleanSupplier condition) {
        long beganNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - beganNs < LONGEST_SPIN.toNanos(), () -> "not within a minute: " + what);
            Thread.onSpinWait();
        }
    }

    static RdmaException refused(Errno errno, Runnable call) {
        RdmaException thrown = assertThrows(RdmaException.class, call::run);
        assertEquals(errno, thrown.errno(), thrown::getMessage);
        return thrown;
    }
}
