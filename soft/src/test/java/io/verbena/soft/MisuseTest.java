package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fabric.SimulatedHost;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// A mistake throws an explained exception where it is made.
class MisuseTest {
    private final SimulatedHost host = new SimulatedFabric(1).host("10.0.0.1");

    private static void assertTold(String words, Executable mistake) {
        String message = assertThrows(RuntimeException.class, mistake).getMessage();
        assertTrue(message != null && message.contains(words), message);
    }

    @Test
    void shouldRefuseANegativeLimit() {
        try (Context context = host.device().open();
                CompletionQueue cq = context.createCompletionQueue(4)) {
            RdmaException refused = assertThrows(RdmaException.class, () -> cq.poll(completion -> {}, -1));
            assertEquals(Errno.EINVAL, refused.errno());
        }
    }

    @Test
    void shouldRefuseToBringDataIntoTheBufferOfASend() {
        try (Context context = host.device().open();
                ProtectionDomain pd = context.allocateProtectionDomain();
                CompletionQueue cq = context.createCompletionQueue(4);
                QueuePair qp = pd.createQueuePair(QueuePairOptions.rc(cq));
                MemoryRegion memory = pd.allocate(64, Access.LOCAL_WRITE)) {
            assertTold("use from", () -> qp.newSendRequest().send().into(memory, 0, 64));
            assertTold("use from", () -> qp.newSendRequest().write(1, 1).into(memory, 0, 64));
            qp.newSendRequest().read(1, 1).into(memory, 0, 64);
            assertTold(
                    "the memory region is null",
                    () -> qp.newSendRequest().send().from(null, 0, 64));
        }
    }

    private static void assertRefused(Executable mistake, String... words) {
        RdmaException refused = assertThrows(RdmaException.class, mistake);
        assertEquals(Errno.EINVAL, refused.errno());
        for (String word : words) {
            assertTrue(refused.getMessage().contains(word), refused.getMessage());
        }
    }

    private static String name(QueuePair qp) {
        return "QP 0x%x".formatted(qp.number());
    }

    @Test
    void shouldRefuseARequestThatAnotherQueueMade() {
        try (Context context = host.device().open()) {
            ProtectionDomain pd = context.allocateProtectionDomain();
            CompletionQueue cq = context.createCompletionQueue(4);
            SharedReceiveQueue shared = pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(4));
            QueuePair qp = pd.createQueuePair(QueuePairOptions.rc(cq));
            QueuePair other = pd.createQueuePair(QueuePairOptions.rc(cq));
            qp.modify(QueuePairChange.toInit());
            SendRequest send = other.newSendRequest().send().empty();
            assertRefused(() -> qp.post(send), name(qp), "made by " + name(other), "newSendRequest");
            assertRefused(() -> qp.postSends(List.of(send)), name(qp), name(other));
            ReceiveRequest receive = other.newReceiveRequest().empty();
            assertRefused(() -> qp.post(receive), name(qp), "made by " + name(other), "newReceiveRequest");
            assertRefused(() -> qp.postReceives(List.of(receive)), name(qp), name(other));
            assertRefused(() -> shared.post(receive), "shared receive queue", name(other));
            assertRefused(() -> qp.post(shared.newReceiveRequest().empty()), name(qp), "shared receive queue");
            assertTrue(qp.post(qp.newReceiveRequest().empty()));
            assertTrue(shared.post(shared.newReceiveRequest().empty()));
            context.closeAll();
        }
    }

    @Test
    void shouldRefuseARequestOnAClosedRegion() {
        try (Context context = host.device().open()) {
            ProtectionDomain pd = context.allocateProtectionDomain();
            CompletionQueue cq = context.createCompletionQueue(4);
            SharedReceiveQueue shared = pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(4));
            QueuePair qp = pd.createQueuePair(
                    QueuePairOptions.rc(cq).scatterGather(2, 1).inlineBytes(8));
            connectToItself(context, qp);
            MemoryRegion open = pd.allocate(64, Access.LOCAL_WRITE);
            MemoryRegion closed = pd.allocate(64, Access.LOCAL_WRITE);
            SendRequest send = qp.newSendRequest().send().from(open, 0, 8).and(closed, 0, 8);
            SendRequest inline = qp.newSendRequest().send().from(closed, 0, 8).inline();
            ReceiveRequest receive = qp.newReceiveRequest().into(closed, 0, 64);
            ReceiveRequest sharedReceive = shared.newReceiveRequest().into(closed, 0, 64);
            String name = closed.toString();
            closed.close();
            assertRefused(() -> qp.post(send), name + " is closed");
            assertRefused(() -> qp.post(inline), name + " is closed");
            assertRefused(() -> qp.post(receive), name + " is closed");
            assertRefused(() -> shared.post(sharedReceive), name + " is closed");
            assertTrue(qp.post(send.from(open, 0, 8)), "the same request on another region");
            context.closeAll();
        }
    }

    private static void connectToItself(Context context, QueuePair qp) {
        qp.modify(QueuePairChange.toInit());
        qp.modify(QueuePairChange.toRtr(AddressVector.to(context.gid(1, 0)), qp.number(), 1));
        qp.modify(QueuePairChange.toRts(1));
    }

    @Test
    void shouldRefuseANegativeBacklog() {
        try (ConnectionId id = host.connectionManager().createSynchronousId(PortSpace.TCP)) {
            assertRefused(() -> id.listen(-5), "-5", "1 or more, or 0 for the maximum");
            id.listen(0);
        }
    }

    @Test
    void shouldNotTellPeersOfMemoryThatTheyMayNotReach() {
        try (Context context = host.device().open();
                ProtectionDomain pd = context.allocateProtectionDomain();
                MemoryRegion memory = pd.allocate(64, Access.LOCAL_WRITE)) {
            assertRefused(memory::remote, memory.toString(), "register it with REMOTE_READ");
        }
    }

    @Test
    void shouldSayWhatIsNull() {
        try (ConnectionId id = host.connectionManager().createSynchronousId(PortSpace.TCP)) {
            assertTold("the address is null", () -> id.bind(null));
            assertTold("the address is null", () -> id.resolveAddress(null, null, Duration.ofSeconds(1)));
            assertTold("the options are null", () -> id.createQueuePair(null, null));
        }
    }
}
