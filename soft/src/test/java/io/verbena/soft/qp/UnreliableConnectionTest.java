package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Opcode;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.fault.FrameMatcher;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnreliableConnectionTest {
    private static final int MTU = 256;
    private static final int BYTES = 1 << 16;
    private static final int PSN = 0xFF_FFFE;

    /// A host with one queue pair of type UC.
    private static final class Node {
        final InetAddress address;
        final Context context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final GuardedMemory memory;
        final List<WorkCompletion> completions = new ArrayList<>();

        Node(SimulatedFabric fabric, String name) {
            address = InetAddress.ofLiteral(name);
            context = fabric.host(name).device().open();
            pd = context.allocateProtectionDomain();
            cq = context.createCompletionQueue(2048);
            qp = pd.createQueuePair(QueuePairOptions.uc(cq).sendRequests(512).receiveRequests(512));
            memory = new GuardedMemory(pd, BYTES);
        }

        void connect(Node peer) {
            qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
            qp.modify(QueuePairChange.toRtrUnreliable(AddressVector.to(peer.address), peer.qp.number(), PSN)
                    .pathMtu(Mtu.MTU_256));
            qp.modify(QueuePairChange.toRtsUnreliable(PSN));
        }

        SendRequest request(long wrId, long from, long length) {
            return qp.newSendRequest()
                    .wrId(wrId)
                    .send()
                    .from(memory.region(), from, length)
                    .signaled();
        }

        void receive(long wrId, long into, long length) {
            assertTrue(qp.post(qp.newReceiveRequest().wrId(wrId).into(memory.region(), into, length)));
        }

        long count(Counter counter) {
            return context.counters().getOrDefault(counter.label(), 0L);
        }

        byte[] bytes(long at, int length) {
            return memory.region().memory().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
        }

        byte[] fill(long at, int length, long seed) {
            byte[] bytes = new byte[length];
            new Random(seed).nextBytes(bytes);
            MemorySegment.copy(bytes, 0, memory.region().memory(), ValueLayout.JAVA_BYTE, at, length);
            return bytes;
        }

        List<Long> wrIds() {
            return completions.stream().map(WorkCompletion::wrId).toList();
        }

        List<CompletionStatus> statuses() {
            return completions.stream().map(WorkCompletion::status).toList();
        }
    }

    private final SimulatedFabric fabric = new SimulatedFabric(3);
    private final Node left = new Node(fabric, "10.0.0.1");
    private final Node right = new Node(fabric, "10.0.0.2");

    {
        left.connect(right);
        right.connect(left);
    }

    @AfterEach
    void shouldNeverFaultAndCloseAll() {
        assertEquals(0, left.count(Counter.ENGINE_FAULTS) + right.count(Counter.ENGINE_FAULTS));
        right.memory.assertGuardsUntouched();
        left.context.closeAll();
        right.context.closeAll();
    }

    private void post(SendRequest request) {
        assertTrue(left.qp.post(request));
    }

    private void run() {
        fabric.run(Duration.ofMillis(20));
        for (Node node : List.of(left, right)) {
            node.cq.poll(completion -> node.completions.add(completion.copy()), 2048);
        }
    }

    private void lose(int n) {
        fabric.faults(FaultPlan.none().dropWhen(FrameMatcher.nth(n), 1));
    }

    @Test
    void shouldSendManyPacketsWithoutAnyAnswer() {
        byte[] sent = left.fill(0, 100 * MTU + 1, 1);
        right.receive(1, 0, BYTES);
        post(left.request(2, 0, sent.length));
        run();
        assertEquals(List.of(1L), right.wrIds());
        assertArrayEquals(sent, right.bytes(0, sent.length));
        assertEquals(0, right.count(Counter.PACKETS_SENT));
        assertEquals(PSN + 101 & 0xFF_FFFF, left.qp.query().sendPsn());
        assertEquals(PSN + 101 & 0xFF_FFFF, right.qp.query().receivePsn());
    }

    @Test
    void shouldLoseTheMessageThatLosesAPacketAndTakeTheNext() {
        for (int lost = 0; lost < 3; lost++) {
            lose(lost);
            right.receive(lost, 0, BYTES);
            byte[] second = left.fill(4096, 3 * MTU, lost);
            post(left.request(1, 0, 3 * MTU));
            post(left.request(2, 4096, 3 * MTU));
            run();
            assertEquals(lost + 1, right.completions.size(), "packet " + lost);
            assertEquals(lost, right.completions.getLast().wrId());
            assertArrayEquals(second, right.bytes(0, second.length));
        }
        assertEquals(6, left.completions.size());
        assertTrue(left.statuses().stream().allMatch(CompletionStatus.SUCCESS::equals));
        assertTrue(right.count(Counter.OUT_OF_SEQUENCE_REQUESTS) >= 3);
        assertTrue(right.count(Counter.DROPPED_REST_OF_MESSAGE) >= 3);
    }

    @Test
    void shouldNeverDeliverAMessageThatIsNotWhole() {
        long seed = new Random().nextLong();
        fabric.faults(FaultPlan.none()
                .withLoss(0.1)
                .withDuplicate(0.1)
                .withReorder(0.1)
                .withCorrupt(0.05)
                .withSeed(seed));
        int count = 300;
        for (int i = 0; i < 512; i++) {
            right.receive(i, i * 128L % BYTES, 0);
        }
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(1, 6 * MTU);
            post(left.request(i, 0, length)
                    .writeWithImmediate(
                            right.memory.address(), right.memory.region().rkey(), length));
        }
        run();
        assertEquals(count, left.completions.size(), "seed " + seed);
        int arrived = right.completions.size();
        assertTrue(arrived > 10 && arrived < count, () -> arrived + " arrived, seed " + seed);
        for (WorkCompletion completion : right.completions) {
            assertEquals(completion.immediate(), completion.byteLength(), "seed " + seed);
        }
        fabric.faults(FaultPlan.none());
        post(left.request(7, 0, 5).sendWithImmediate(9).empty());
        run();
        assertEquals(9, right.completions.getLast().immediate(), "seed " + seed);
    }

    @Test
    void shouldDropWhatMayNotBeWrittenAndCountIt() {
        long address = right.memory.address();
        int rkey = right.memory.region().rkey();
        post(left.request(1, 0, 600).write(address, rkey ^ 1));
        post(left.request(2, 0, 600).write(address + BYTES - 599, rkey));
        post(left.request(3, 0, 600));
        right.receive(4, 0, 599);
        post(left.request(5, 0, 600));
        run();
        assertEquals(4, left.completions.size());
        assertEquals(List.of(), right.completions);
        assertEquals(2, right.count(Counter.DROPPED_NO_ACCESS));
        assertEquals(2, right.count(Counter.DROPPED_RECEIVE_TOO_SHORT) + right.count(Counter.DROPPED_NO_RECEIVE));
        assertEquals(QueuePairState.RTS, right.qp.state());
        post(left.request(6, 0, 599));
        run();
        assertEquals(List.of(4L), right.wrIds());
    }

    @Test
    void shouldEndWhereTheReceiversOwnBufferIsGone() {
        MemoryRegion gone = right.pd.allocate(256, Access.LOCAL_WRITE);
        right.qp.post(right.qp.newReceiveRequest().wrId(1).into(gone, 0, 256));
        right.receive(2, 0, 256);
        gone.close();
        post(left.request(3, 0, 100));
        run();
        assertEquals(
                List.of(CompletionStatus.LOCAL_PROTECTION_ERROR, CompletionStatus.WORK_REQUEST_FLUSHED),
                right.statuses());
        assertEquals(QueuePairState.ERR, right.qp.state());
        assertEquals(List.of(CompletionStatus.SUCCESS), left.statuses());
    }

    @Test
    void shouldStopSendingAfterAnErrorAndGoOnWhenTold() {
        right.receive(1, 0, 256);
        SendRequest wrong = left.request(2, 0, 8)
                .fromAddress(left.memory.address(), 8, left.memory.region().lkey() + 1);
        assertEquals(2, left.qp.postSends(List.of(wrong, left.request(3, 0, 8))));
        run();
        assertEquals(
                List.of(CompletionStatus.LOCAL_PROTECTION_ERROR, CompletionStatus.WORK_REQUEST_FLUSHED),
                left.statuses());
        assertEquals(QueuePairState.SQE, left.qp.state());
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        post(left.request(4, 0, 8));
        run();
        assertEquals(List.of(1L), right.wrIds());
    }

    @Test
    void shouldFinishTheMessageUnderWayBeforeItIsDrained() {
        right.receive(1, 0, BYTES);
        right.receive(2, 0, BYTES);
        post(left.request(3, 0, 200 * MTU));
        post(left.request(4, 0, 8));
        assertEquals(List.of(), left.completions, "more packets than one turn has");
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD));
        run();
        assertEquals(List.of(3L), left.wrIds());
        assertFalse(left.qp.query().sendQueueDraining());
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        run();
        assertEquals(List.of(1L, 2L), right.wrIds());
    }

    @Test
    void shouldBindAWindowAndRevokeItBetweenMessages() {
        MemoryRegion region =
                left.pd.allocate(1024, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MEMORY_WINDOW_BIND);
        MemoryWindow window = left.pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        int rkey = window.rkey() ^ 1;
        post(left.qp
                .newSendRequest()
                .wrId(1)
                .bindMemoryWindow(window, rkey, region, region.address(), 512, Access.REMOTE_WRITE)
                .signaled());
        run();
        byte[] bytes = right.fill(0, 300, 5);
        assertTrue(right.qp.post(right.request(2, 0, 300).write(region.address(), rkey)));
        run();
        assertArrayEquals(bytes, region.memory().asSlice(0, 300).toArray(ValueLayout.JAVA_BYTE));
        post(left.qp.newSendRequest().wrId(3).localInvalidate(rkey).signaled());
        run();
        assertTrue(right.qp.post(right.request(4, 0, 300).write(region.address() + 1, rkey)));
        run();
        assertEquals(1, left.count(Counter.DROPPED_NO_ACCESS));
        assertArrayEquals(bytes, region.memory().asSlice(0, 300).toArray(ValueLayout.JAVA_BYTE));
        post(left.qp.newSendRequest().wrId(5).localInvalidate(region.rkey()));
        run();
        assertEquals(List.of(1L, 3L, 5L), left.wrIds());
        assertEquals(
                CompletionStatus.LOCAL_QP_OPERATION_ERROR,
                left.completions.getLast().status());
        assertEquals(QueuePairState.SQE, left.qp.state());
    }

    @Test
    void shouldIgnoreStrangersAndPacketsOfOtherTransports() {
        Node stranger = new Node(fabric, "10.0.0.3");
        stranger.connect(right);
        right.receive(1, 0, 256);
        assertTrue(stranger.qp.post(stranger.request(2, 0, 8)));
        run();
        assertEquals(1, right.count(Counter.DROPPED_WRONG_ADDRESS));
        QueuePair reliable = left.pd.createQueuePair(QueuePairOptions.rc(left.cq));
        reliable.modify(QueuePairChange.toInit());
        reliable.modify(QueuePairChange.toRtr(AddressVector.to(right.address), right.qp.number(), 0));
        reliable.modify(QueuePairChange.toRts(0));
        assertTrue(reliable.post(reliable.newSendRequest().send().empty()));
        run();
        assertTrue(right.count(Counter.DROPPED_WRONG_TRANSPORT) >= 1);
        assertEquals(List.of(), right.completions);
        stranger.context.closeAll();
    }

    @Test
    void shouldRefuseASendThatRevokesAKeySinceNoPacketCanSayIt() {
        assertThrows(
                BadRequestException.class,
                () -> left.qp.post(left.request(1, 0, 8).sendWithInvalidate(5)));
    }

    @Test
    void shouldUseOpcodesOfItsOwn() {
        assertEquals(Opcode.UC_SEND_ONLY, UcOpcodes.of(Operation.SEND, true, true));
        assertEquals(
                Opcode.UC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                UcOpcodes.of(Operation.RDMA_WRITE_WITH_IMMEDIATE, false, true));
    }
}
