package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A device whose program has no connection manager answers those who ask for a connection.
class NoConnectionManagerTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final InetAddress server = Loopback.next();

    @Test
    void shouldRefuseConnections() {
        try (Context context = LoopbackPair.openDevice(server);
                ConnectionId id = resolved(PortSpace.TCP);
                CmSide side = new CmSide(id)) {
            RdmaException refused = assertThrows(RdmaException.class, () -> side.id.connect(null));
            assertEquals(Errno.ECONNREFUSED, refused.errno());
            expectOneRefusal(context);
        }
    }

    @Test
    void shouldRefuseLookupsOfDatagramServices() {
        try (Context context = LoopbackPair.openDevice(server);
                ConnectionId id = resolved(PortSpace.UDP)) {
            id.createQueuePair(QueuePairOptions.ud());
            assertThrows(RdmaException.class, () -> id.connect(ConnectionParameters.DEFAULT));
            expectOneRefusal(context);
        }
    }

    private ConnectionId resolved(PortSpace space) {
        ConnectionId id = cm.createSynchronousId(space);
        id.resolveAddress(new InetSocketAddress(Loopback.next(), 0), new InetSocketAddress(server, 7471), LONG);
        id.resolveRoute(LONG);
        return id;
    }

    private static void expectOneRefusal(Context context) {
        assertEquals(1, context.counters().get(Counter.CONNECTION_REQUESTS_REFUSED.label()));
    }
}
