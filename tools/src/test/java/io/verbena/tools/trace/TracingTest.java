package io.verbena.tools.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.trace.TraceRecord.Kind;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.Poller;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import io.verbena.verbs.spi.RdmaProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/// Two queue pairs of one software device, behind a trace.
@Timeout(30)
class TracingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final TraceLines lines = new TraceLines();
    private final RdmaProvider provider = Tracing.of(Rdma.provider("soft"), lines);
    private Context context;
    private ProtectionDomain pd;
    private CompletionChannel channel;
    private CompletionQueue cq;
    private QueuePair left;
    private QueuePair right;
    private MemoryRegion memory;

    @BeforeEach
    void connect() {
        context = provider.device(LoopbackAddress.any()).orElseThrow().open();
        pd = context.allocateProtectionDomain();
        channel = context.createCompletionChannel();
        cq = context.createCompletionQueue(64, channel);
        left = pd.createQueuePair(QueuePairOptions.rc(cq).sendRequests(4));
        right = pd.createQueuePair(QueuePairOptions.rc(cq));
        memory = pd.allocate(256, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        join(left, right);
        join(right, left);
    }

    private void join(QueuePair qp, QueuePair peer) {
        qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE, Access.REMOTE_READ));
        qp.modify(QueuePairChange.toRtr(AddressVector.to(context.gid(1, 0)), peer.number(), 0));
        qp.modify(QueuePairChange.toRts(0));
    }

    @AfterEach
    void close() {
        context.closeAll();
    }

    private List<WorkCompletion> poll(int count) {
        List<WorkCompletion> found = new ArrayList<>();
        assertEquals(count, cq.poll(completion -> found.add(completion.copy()), count, PATIENCE));
        return found;
    }

    @Test
    void shouldCarryAMessageAndTellEachStepInOrder() {
        memory.memory().setString(0, "traced");
        right.post(right.newReceiveRequest().wrId(7).into(memory, 128, 64));
        SendRequest send = left.newSendRequest();
        assertSame(send, send.wrId(8).send().from(memory, 0, 64).signaled(), "requests return themselves");
        assertTrue(left.post(send));
        List<WorkCompletion> completions = poll(2);
        assertEquals("traced", memory.memory().getString(128));
        assertTrue(completions.stream().allMatch(WorkCompletion::isSuccess));

        lines.requireOrder(
                "ibv_get_device_list",
                "ibv_open_device",
                "ibv_alloc_pd",
                "ibv_create_comp_channel",
                "ibv_create_cq",
                "ibv_create_qp",
                "ibv_create_qp",
                "ibv_reg_mr",
                "ibv_modify_qp",
                "ibv_modify_qp",
                "ibv_modify_qp",
                "ibv_post_recv",
                "ibv_post_send",
                "completion",
                "completion");
        String lkey = Details.hex(memory.lkey());
        assertEquals(
                Details.queuePair(left.number()) + "  wr_id 8  SEND  64 bytes  from lkey " + lkey + "  signaled",
                lines.first("ibv_post_send").text());
        assertEquals(
                Details.queuePair(right.number()) + "  wr_id 7  64 bytes  into lkey " + lkey,
                lines.first("ibv_post_recv").text());
        assertTrue(lines.all().stream()
                .anyMatch(line -> line.kind() == Kind.COMPLETION
                        && line.text()
                                .equals(Details.queuePair(right.number()) + "  wr_id 7  RECEIVE  64 bytes  success")));
        long last = 0;
        for (TraceRecord line : lines.all()) {
            assertTrue(line.timeNs() >= last, "times go backwards: " + lines);
            last = line.timeNs();
        }
    }

    @Test
    void shouldTellWhereAWriteAndAReadGo() {
        SendRequest request = left.newSendRequest().wrId(1).from(memory, 0, 8).signaled();
        left.post(request.write(memory.remote().slice(64, 8)));
        poll(1);
        left.post(request.read(memory.address() + 64, memory.rkey())
                .into(memory, 8, 16)
                .fenced());
        poll(1);
        List<TraceRecord> posts = lines.all().stream()
                .filter(line -> line.verb().equals("ibv_post_send"))
                .toList();
        String place = Details.hex(memory.address() + 64) + "  rkey " + Details.hex(memory.rkey());
        assertTrue(posts.get(0).text().contains("RDMA WRITE  8 bytes  from lkey"), lines.toString());
        assertTrue(posts.get(0).text().contains("to " + place), lines.toString());
        assertTrue(posts.get(1).text().contains("RDMA READ  16 bytes  into lkey"), lines.toString());
        assertTrue(posts.get(1).text().endsWith("from " + place + "  signaled  fenced"), lines.toString());
        assertEquals("RDMA_READ", posts.get(1).details().get("operation"));
    }

    @Test
    void shouldGiveOneWrapperPerObjectAndNeverShowOneToTheProvider() {
        assertSame(context, pd.context());
        assertSame(pd, left.protectionDomain());
        assertSame(cq, left.sendCq());
        assertSame(channel, cq.channel());
        assertSame(context.device(), pd.context().device());
        assertNotSame(left.newSendRequest(), left.newSendRequest());
        assertEquals(left, left);
        assertEquals(left.hashCode(), left.hashCode());
        assertFalse(left.equals(right));
        assertTrue(
                left.toString().contains(String.valueOf(left.number()))
                        || left.toString().contains(Integer.toHexString(left.number())),
                left.toString());
        SharedReceiveQueue srq = pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(8));
        QueuePair shared = pd.createQueuePair(QueuePairOptions.rc(cq).sharedReceiveQueue(srq));
        assertEquals(2, srq.postReceives(List.of(receive(srq, 1), receive(srq, 2))));
        assertEquals(2, lines.count("ibv_post_srq_recv"));
        assertThrows(RdmaException.class, srq::close, "the queue pair uses it");
        shared.close();
        srq.close();
    }

    private ReceiveRequest receive(SharedReceiveQueue srq, int wrId) {
        return srq.newReceiveRequest().wrId(wrId).into(memory, 0, 16);
    }

    @Test
    void shouldTellChainsRequestByRequestAndWhatDidNotFit() {
        List<SendRequest> chain = new ArrayList<>();
        int more = left.capabilities().maxSendRequests() + 1;
        for (int i = 0; i < more; i++) {
            chain.add(left.newSendRequest().wrId(i).send().from(memory, 0, 1).signaled());
        }
        assertEquals(more - 1, left.postSends(chain)); // nothing is received, so nothing leaves the queue
        assertEquals(
                more,
                lines.all().stream()
                        .filter(line -> line.verb().equals("ibv_post_send") && line.kind() == Kind.CALL)
                        .count());
        assertTrue(lines.first("ibv_post_send").text().endsWith("  chained 1 of " + more), lines.toString());
        TraceRecord full = lines.all().getLast();
        assertEquals(Kind.FAILURE, full.kind());
        assertEquals("queue full: wr_id " + (more - 1) + "  not posted", full.text());
        assertFalse(left.post(chain.getFirst()));
        assertEquals("queue full: wr_id 0  not posted", lines.all().getLast().text());
    }

    @Test
    void shouldTellFailuresAndThrowThemAsTheyAre() {
        RdmaException busy = assertThrows(RdmaException.class, cq::close);
        TraceRecord last = lines.all().getLast();
        assertEquals(Kind.FAILURE, last.kind());
        assertEquals("ibv_destroy_cq", last.verb());
        assertEquals("failed: " + busy.getMessage(), last.text());
        left.close();
        left.close();
        assertEquals(1, lines.count("ibv_destroy_qp"), "closing again does nothing");
        assertThrows(
                IndexOutOfBoundsException.class, () -> right.newSendRequest().from(memory, 250, 7));
    }

    @Test
    void shouldLeaveWrongArgumentsToTheProvider() {
        RdmaProvider plain = Rdma.provider("soft");
        try (Context untraced =
                plain.device(LoopbackAddress.any()).orElseThrow().open()) {
            ProtectionDomain its = untraced.allocateProtectionDomain();
            assertSameRefusal(() -> its.createQueuePair(null), () -> pd.createQueuePair(null));
            assertSameRefusal(() -> its.register(null), () -> pd.register(null));
            its.close();
        }
        assertThrows(RuntimeException.class, () -> left.modify(null));
        assertThrows(RuntimeException.class, () -> left.post((SendRequest) null));
        SendRequest nothing = left.newSendRequest().remote(1, 2);
        assertThrows(BadRequestException.class, () -> left.post(nothing));
        assertTrue(lines.all().stream().anyMatch(line -> line.text().contains("no operation")), lines.toString());
    }

    private static void assertSameRefusal(Executable plain, Executable traced) {
        RuntimeException expected = assertThrows(RuntimeException.class, plain);
        RuntimeException actual = assertThrows(RuntimeException.class, traced);
        assertEquals(expected.getClass(), actual.getClass());
        assertEquals(expected.getMessage(), actual.getMessage());
    }

    @Test
    void shouldTellCompletionsThatFailed() {
        left.post(left.newSendRequest().wrId(3).read(1, 2).into(memory, 0, 8).signaled());
        poll(1);
        String text = lines.first("completion").text();
        assertTrue(text.startsWith(Details.queuePair(left.number()) + "  wr_id 3  remote access error: "), text);
    }

    @Test
    void shouldWaitOnTracedChannelsAndTellOnlyWhatWasFound() {
        try (Poller poller = Poller.of(channel, context.asyncEvents())) {
            assertNull(channel.tryTake());
            assertEquals(0, poller.await(Duration.ZERO));
            assertEquals(0, cq.poll(_ -> {}, 4));
            cq.arm();
            cq.arm();
            assertEquals(1, lines.count("ibv_req_notify_cq"), "it is armed already");
            left.post(left.newSendRequest()
                    .write(memory.remote())
                    .from(memory, 0, 8)
                    .signaled());
            assertEquals(1, poller.await(PATIENCE));
            assertSame(cq, channel.tryTake());
            poll(1);
            cq.arm();
        }
        lines.requireOrder(
                "ibv_req_notify_cq", "ibv_post_send", "poll", "ibv_get_cq_event", "completion", "ibv_req_notify_cq");
        assertEquals(1, lines.count("ibv_get_cq_event"));
        assertEquals(1, lines.count("poll"));
    }

    @Test
    void shouldLeaveAProgramWithoutTraceAlone() {
        RdmaProvider plain = Rdma.provider("soft");
        assertFalse(java.lang.reflect.Proxy.isProxyClass(plain.getClass()));
        assertEquals(plain.name(), provider.name());
    }
}
