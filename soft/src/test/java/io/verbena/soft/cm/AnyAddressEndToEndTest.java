package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.net.Loopback;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A listener on the any-address, over real devices on loopback addresses.
class AnyAddressEndToEndTest {
    private static final Duration SOON = Duration.ofSeconds(5);

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private final ConnectionId all = cm.createSynchronousId(PortSpace.TCP);

    @AfterEach
    void close() throws InterruptedException {
        all.close();
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }

    /// Connects to one of the listener's addresses; returns the local address of the accepted id.
    private InetAddress connectTo(InetAddress one) throws Exception {
        Future<CmSide> accepted = threads.submit((Callable<CmSide>) () -> {
            CmSide side = new CmSide(all.awaitRequest(SOON));
            side.id.accept(null);
            return side;
        });
        ConnectionId id = cm.createSynchronousId(PortSpace.TCP);
        id.resolveAddress(null, new InetSocketAddress(one, all.localAddress().getPort()), SOON);
        id.resolveRoute(SOON);
        try (CmSide client = new CmSide(id)) {
            client.id.connect(null);
            try (CmSide server = accepted.get(10, TimeUnit.SECONDS)) {
                return server.id.localAddress().getAddress();
            }
        }
    }

    @Test
    void shouldListenOnAllDevices() throws Exception {
        all.listen(1);
        assertTrue(all.localAddress().getAddress().isAnyLocalAddress());
        assertNull(all.context());
        // Another process may have some of the addresses.
        InetAddress one = ((SoftConnectionId) all)
                .binding()
                .devices()
                .getFirst()
                .engine()
                .wire()
                .localAddress();
        assertEquals(one, connectTo(one));
    }

    @Test
    void shouldListenOnDevicesThatAreOpenedLater() throws Exception {
        all.listen(1);
        InetAddress later = Loopback.next();
        try (var _ =
                new SoftProvider().device(later.getHostAddress()).orElseThrow().open()) {
            assertEquals(later, connectTo(later));
        }
    }
}
