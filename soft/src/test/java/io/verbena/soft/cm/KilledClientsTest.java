package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A server over UDP whose clients are killed or stopped while the connections are idle.
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class KilledClientsTest {
    private static final int CLIENTS = 3;
    private static final int CONNECTIONS = 101;
    /// Long enough for a client that lives and waits for a processor.
    private static final int LIVENESS_SECONDS = 4;

    private static final Duration LONG = Duration.ofSeconds(30);
    /// A fraction of what retries would take.
    private static final Duration SOON = Duration.ofSeconds(5);

    private final InetAddress address = Loopback.next();
    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final EventChannel channel = cm.createEventChannel();
    private final ConnectionId listener = cm.createId(channel, PortSpace.TCP);
    private final Map<ConnectionId, CmSide> served = new HashMap<>();
    private final List<ChildJvm> children = new ArrayList<>();

    @BeforeEach
    void listen() {
        listener.option(ConnectionOption.LIVENESS, LIVENESS_SECONDS);
        listener.bind(new InetSocketAddress(address, 0));
        listener.listen(CONNECTIONS * CLIENTS);
    }

    @AfterEach
    void close() {
        children.forEach(ChildJvm::close);
        served.values().forEach(CmSide::close);
        listener.close();
        channel.close();
    }

    private void start(int clients, int connections) throws IOException {
        for (int i = 0; i < clients; i++) {
            children.add(new ChildJvm(
                    List.of(),
                    List.of("-Dverbena.soft.path=udp"),
                    IdleClients.class,
                    Loopback.next().getHostAddress(),
                    address.getHostAddress(),
                    Integer.toString(listener.localAddress().getPort()),
                    Integer.toString(connections)));
        }
        int established = 0;
        while (established < clients * connections) {
            CmEvent event = channel.await(LONG);
            assertNotNull(event, "no event");
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                served.put(event.id(), new CmSide(event.id()));
                event.id().accept(null);
            } else {
                assertEquals(CmEventType.ESTABLISHED, event.type());
                established++;
            }
        }
        for (ChildJvm child : children) {
            assertEquals("connected", child.line());
        }
    }

    private CmEvent nextEnd() {
        CmEvent event;
        do {
            event = channel.await(LONG);
            assertNotNull(event, () -> served.size() + " connections of dead clients stay");
        } while (event.type() == CmEventType.TIMEWAIT_EXIT);
        assertEquals(CmEventType.DISCONNECTED, event.type());
        return event;
    }

    @Test
    void shouldHaveNothingLeftOfKilledClients() throws Exception {
        start(CLIENTS, CONNECTIONS);
        for (ChildJvm child : children) {
            child.kill();
        }
        while (!served.isEmpty()) {
            CmEvent event = nextEnd();
            assertEquals(-Errno.ECONNRESET.number(), event.status(), event::explain);
            CmSide side = served.remove(event.id());
            assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, side.await(1));
            side.close();
            assertFalse(side.buffer.memory().scope().isAlive());
        }
    }

    @Test
    void shouldEndRequestsToAKilledClientSoon() throws Exception {
        start(1, 1);
        children.getFirst().kill();
        CmSide side = served.values().iterator().next();
        long startNs = System.nanoTime();
        assertTrue(side.qp.post(
                side.qp.newSendRequest().wrId(2).send().from(side.buffer, 32, 4).signaled()));
        assertEquals(-Errno.ECONNRESET.number(), nextEnd().status());
        long tookNs = System.nanoTime() - startNs;
        assertTrue(tookNs < SOON.toNanos(), () -> "after " + tookNs + " ns");
        assertEquals(CompletionStatus.RETRY_EXCEEDED, side.await(2));
        assertEquals(CompletionStatus.WORK_REQUEST_FLUSHED, side.await(1));
    }

    @Test
    void shouldEndWithAStoppedClientAndTellItWhenItGoesOn() throws Exception {
        start(1, 3);
        ChildJvm child = children.getFirst();
        signal("STOP", child);
        try {
            for (int i = 0; i < 3; i++) {
                assertEquals(-Errno.ETIMEDOUT.number(), nextEnd().status());
            }
        } finally {
            signal("CONT", child);
        }
        assertEquals("disconnected", child.line());
    }

    private static void signal(String name, ChildJvm child) throws IOException, InterruptedException {
        assertEquals(
                0,
                new ProcessBuilder("kill", "-" + name, Long.toString(child.pid()))
                        .start()
                        .waitFor());
    }
}
