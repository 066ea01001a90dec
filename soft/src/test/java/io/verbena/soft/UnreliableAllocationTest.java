package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.net.AllocatedBytes;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Datagrams, to one and to a group, and unreliable connections allocate nothing either. Real sockets.
class UnreliableAllocationTest {
    private static final int QKEY = 0x1111_1111;
    private static final int BYTES = 64;
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 50_000;
    private static final double MOST_BYTES_PER_ROUND = 0.5;
    private static final long LONG_ENOUGH_NS = Duration.ofSeconds(100).toNanos();

    /// A device with memory and a queue.
    private static final class Node implements WorkCompletionHandler, AutoCloseable {
        final InetAddress address = Loopback.next();
        final Context context = LoopbackPair.openDevice(address);
        final ProtectionDomain pd = context.allocateProtectionDomain();
        final CompletionQueue cq = context.createCompletionQueue(64);
        final MemoryRegion memory = pd.allocate(4096, Access.LOCAL_WRITE);
        QueuePair qp;
        SendRequest send;
        ReceiveRequest receive;
        long received;
        long failed;

        void datagrams() {
            qp = pd.createQueuePair(QueuePairOptions.ud(cq));
            qp.modify(QueuePairChange.toInit(QKEY));
            qp.modify(QueuePairChange.toRtr());
            qp.modify(QueuePairChange.toRtsUnreliable(0));
            receive = qp.newReceiveRequest().into(memory, 1024, 1024);
        }

        void sendTo(Gid destination, int number) {
            send = qp.newSendRequest()
                    .send()
                    .from(memory, 0, BYTES)
                    .to(pd.createAddressHandle(AddressVector.to(destination)), number, QKEY);
        }

        void connection() {
            qp = pd.createQueuePair(QueuePairOptions.uc(cq));
            qp.modify(QueuePairChange.toInit());
            receive = qp.newReceiveRequest().into(memory, 1024, 1024);
            send = qp.newSendRequest().send().from(memory, 0, BYTES);
        }

        void connect(Node peer) {
            qp.modify(QueuePairChange.toRtrUnreliable(AddressVector.to(peer.address), peer.qp.number(), 0));
            qp.modify(QueuePairChange.toRtsUnreliable(0));
        }

        @Override
        public void onCompletion(WorkCompletion completion) {
            received++;
            failed += completion.status() == CompletionStatus.SUCCESS ? 0 : 1;
        }

        @Override
        public void close() {
            context.closeAll();
        }
    }

    /// The left sends unsignaled, the right receives; one thread runs both engines.
    private static void rounds(Node left, Node right, int count) {
        long start = NanoClock.SYSTEM.nowNs();
        for (int i = 0; i < count; i++) {
            right.qp.post(right.receive);
            left.qp.post(left.send);
            long wanted = right.received + 1;
            while (right.received < wanted) {
                left.cq.poll(left, 1);
                right.cq.poll(right, 1);
                assertTrue(NanoClock.SYSTEM.nowNs() - start < LONG_ENOUGH_NS, "a round does not end");
            }
        }
    }

    private static void assertNoGarbage(Node left, Node right) {
        rounds(left, right, WARM_UP);
        long before = AllocatedBytes.now();
        rounds(left, right, ROUNDS);
        long allocated = AllocatedBytes.now() - before;
        assertTrue(
                allocated < ROUNDS * MOST_BYTES_PER_ROUND, () -> "%d bytes in %d rounds".formatted(allocated, ROUNDS));
        assertEquals(0, left.failed + right.failed);
    }

    @Test
    void shouldSendDatagramsWithoutGarbage() {
        try (Node left = new Node();
                Node right = new Node()) {
            left.datagrams();
            right.datagrams();
            left.sendTo(Gid.of(right.address), right.qp.number());
            assertNoGarbage(left, right);
        }
    }

    @Test
    void shouldSendToGroupsWithoutGarbage() {
        Gid group = Gid.of(InetAddress.ofLiteral("239.77.1.5"));
        try (Node left = new Node();
                Node right = new Node()) {
            left.datagrams();
            right.datagrams();
            right.qp.attachMulticast(group);
            left.sendTo(group, 0xFF_FFFF);
            assertNoGarbage(left, right);
        }
    }

    @Test
    void shouldSendOnUnreliableConnectionsWithoutGarbage() {
        try (Node left = new Node();
                Node right = new Node()) {
            left.connection();
            right.connection();
            left.connect(right);
            right.connect(left);
            assertNoGarbage(left, right);
        }
    }
}
