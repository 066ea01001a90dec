package io.verbena.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.SimulatedEcho;
import io.verbena.verbs.Context;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenObjectsTest {
    private final SimulatedFabric fabric = new SimulatedFabric(1);
    private final SimulatedHost host = fabric.host("10.0.0.1");

    @Test
    void shouldFindNothingAfterConnectionsThatWereClosed() {
        SimulatedThread server = fabric.start("server", () -> SimulatedEcho.serve(fabric.host("10.0.0.2"), 1));
        assertEquals(3, SimulatedEcho.ask(host, fabric.host("10.0.0.2"), 3));
        server.join();
        assertTrue(OpenObjects.isInUse(host.device()), "late messages are waited for");
        assertEquals(List.of(), fabric.openObjects());
        assertFalse(OpenObjects.isInUse(host.device()));
    }

    @Test
    void shouldNameWhatIsOpenAndCloseIt() {
        Context context = host.device().open();
        var pd = context.allocateProtectionDomain();
        var cq = context.createCompletionQueue(4);
        var qp = pd.createQueuePair(QueuePairOptions.rc(cq));
        pd.allocate(64, Access.LOCAL_WRITE);
        pd.allocate(32, Access.LOCAL_WRITE);
        String text = fabric.openObjects().toString();
        assertTrue(text.startsWith("[soft-10.0.0.1: 1 context (context of soft-10.0.0.1), 1 protection domain"), text);
        assertTrue(text.contains("1 queue pair (" + qp + ")"), text);
        assertTrue(text.contains("2 memory regions (memory region "), text);
        fabric.close();
        assertEquals(List.of(), fabric.openObjects());
        assertFalse(OpenObjects.isInUse(host.device()));
    }

    @Test
    void shouldNameConnectionIdsAndCloseThem() {
        ConnectionId listener = host.connectionManager().createSynchronousId(PortSpace.TCP);
        ConnectionId unbound = host.connectionManager().createSynchronousId(PortSpace.TCP);
        listener.bind(new InetSocketAddress(host.address(), 7471));
        listener.listen(0);
        listener.context().createCompletionQueue(4);
        listener.protectionDomain();
        String text = fabric.openObjects().toString();
        assertTrue(text.contains("2 connection ids (" + listener + ", " + unbound + ")"), text);
        assertTrue(text.contains("1 completion queue"), text);
        assertFalse(text.contains("domain"), text);
        fabric.close();
        assertEquals(List.of(), fabric.openObjects());
        assertFalse(OpenObjects.isInUse(host.device()));
    }

    @Test
    void shouldNameThreadsThatStillRunAndEndThem() {
        SimulatedThread thread = fabric.start("server", () -> fabric.sleep(Duration.ofDays(30)));
        assertEquals(List.of("thread server still runs"), fabric.openObjects());
        fabric.close();
        assertTrue(thread.isDone());
        assertEquals(1, fabric.unseenFailures().size());
        assertEquals(List.of(), fabric.openObjects());
    }
}
