package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.net.Loopback;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Threads that connect and disconnect all at once, on two devices and on one.
class ManyConnectionsTest {
    private static final int THREADS = 6;
    private static final int ROUNDS = 25;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ConnectionManager cm = new SoftProvider().connectionManager();

    @Test
    void shouldServeManyClientsOnTwoDevices() throws Exception {
        run(Loopback.next().getHostAddress(), Loopback.next().getHostAddress());
    }

    @Test
    void shouldServeManyClientsOnOneDevice() throws Exception {
        String only = Loopback.next().getHostAddress();
        run(only, only);
    }

    private void run(String serverAddress, String clientAddress) throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool();
                ConnectionId listener = cm.createSynchronousId(PortSpace.TCP)) {
            listener.timeout(LONG);
            listener.bind(new InetSocketAddress(serverAddress, 0));
            listener.listen(0);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit((Callable<Void>) () -> serve(listener)));
                int first = i * ROUNDS;
                all.add(threads.submit((Callable<Void>) () -> connect(clientAddress, listener, first)));
            }
            for (Future<?> one : all) {
                one.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private Void serve(ConnectionId listener) {
        for (int i = 0; i < ROUNDS; i++) {
            try (CmSide server = new CmSide(listener.awaitRequest(LONG))) {
                server.id.accept(null);
                server.send(server.receive() + 1);
                server.id.disconnect();
            }
        }
        return null;
    }

    private Void connect(String address, ConnectionId listener, int first) {
        for (int i = 0; i < ROUNDS; i++) {
            ConnectionId id = cm.createSynchronousId(PortSpace.TCP);
            id.timeout(LONG);
            id.resolveAddress(new InetSocketAddress(address, 0), listener.localAddress(), LONG);
            id.resolveRoute(LONG);
            try (CmSide client = new CmSide(id)) {
                client.id.connect(null);
                client.send(first + i);
                assertEquals(first + i + 1, client.receive());
                client.id.disconnect();
                assertTrue(client.id.event() != null);
            }
        }
        return null;
    }
}
