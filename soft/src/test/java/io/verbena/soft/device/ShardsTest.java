package io.verbena.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftPath;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.shard.ShardNumbers;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A device with several shards: each completion queue has the next one, and its queue pairs belong to that.
@EnabledOnOs(OS.LINUX)
class ShardsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int POLLS = 1000;

    private final List<SoftContext> opened = new ArrayList<>();

    /// A queue pair with a completion queue and memory of its own.
    private static final class End {
        final SoftContext context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final QueuePair qp;
        final MemoryRegion memory;

        End(SoftContext context, ProtectionDomain pd, CompletionQueue cq) {
            this.context = context;
            this.pd = pd;
            this.cq = cq;
            qp = pd.createQueuePair(QueuePairOptions.rc(cq).receiveRequests(128));
            memory = pd.allocate(
                    4096, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
        }

        End(SoftContext context) {
            this(context, context.allocateProtectionDomain(), context.createCompletionQueue(256));
        }

        void connect(End peer) {
            connect(qp, peer.context, peer.qp);
        }

        static void connect(QueuePair qp, SoftContext host, QueuePair peer) {
            ConnectionEnd.initialise(qp);
            qp.modify(QueuePairChange.toRtr(AddressVector.to(host.gid(1, 0)), peer.number(), 1));
            qp.modify(QueuePairChange.toRts(1));
        }

        /// Adds 1 to a word of the peer as often as wanted. Returns the completions that failed.
        int increment(End peer, int times) {
            int[] failed = {0};
            for (int i = 0; i < times; i++) {
                assertTrue(qp.post(qp.newSendRequest()
                        .fetchAndAdd(peer.memory.address(), peer.memory.rkey(), 1)
                        .into(memory, 8, 8)
                        .signaled()));
                int polled = cq.poll(
                        completion -> failed[0] += completion.status() == CompletionStatus.SUCCESS ? 0 : 1, 1, LONG);
                assertEquals(1, polled, "no completion");
            }
            return failed[0];
        }

        /// Sends that many messages, one after the other. Returns 0.
        int send(int messages) {
            for (int i = 0; i < messages; i++) {
                assertTrue(qp.post(qp.newSendRequest().send().from(memory, 0, 8).signaled()));
                assertEquals(1, cq.poll(completion -> {}, 1, LONG), "no completion");
            }
            return 0;
        }

        void write(End peer, long wrId) {
            assertTrue(qp.post(qp.newSendRequest()
                    .write(peer.memory.address(), peer.memory.rkey())
                    .from(memory, 0, 8)
                    .wrId(wrId)
                    .signaled()));
        }

        long word() {
            return memory.memory().get(ValueLayout.JAVA_LONG, 0);
        }

        /// Binds a window as often as wanted. Returns the completions that failed.
        int bind(int times) {
            int[] failed = {0};
            MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
            try (MemoryWindow window = pd.allocateMemoryWindow(MemoryWindowType.TYPE_1)) {
                for (int i = 0; i < times; i++) {
                    assertTrue(
                            window.bind(qp, i, MemoryWindowBind.of(region, region.address(), 64, Access.REMOTE_WRITE)));
                    int polled = cq.poll(
                            completion -> failed[0] += completion.status() == CompletionStatus.SUCCESS ? 0 : 1,
                            1,
                            LONG);
                    assertEquals(1, polled, "no completion");
                }
            }
            return failed[0];
        }

        int shard() {
            return ShardNumbers.shardOf(qp.number());
        }
    }

    private SoftContext open(SoftOptions options) {
        SoftContext context = (SoftContext) Rdma.openDevice(Loopback.next().getHostAddress(), options);
        opened.add(context);
        return context;
    }

    private SoftContext open(SoftPath path) {
        return open(SoftOptions.defaults().path(path).shards(2));
    }

    @AfterEach
    void close() {
        opened.forEach(SoftContext::closeAll);
    }

    @Test
    void shouldGiveEachCompletionQueueTheNextShard() {
        SoftContext context = open(SoftPath.AUTO);
        assertEquals(1, context.shards().size(), "no completion queue needs a second one yet");
        End first = new End(context);
        End second = new End(context);
        End third = new End(context);
        assertNotEquals(first.shard(), second.shard());
        assertEquals(first.shard(), third.shard());
        assertEquals(2, context.shards().size());
        End sameQueue = new End(context, first.pd, second.cq);
        assertEquals(second.shard(), sameQueue.shard());
    }

    @Test
    void shouldHaveOneWhereItsPacketsAreCounted() {
        SoftContext context =
                open(SoftOptions.defaults().shards(4).faults(FaultPlan.none().withLoss(0.01)));
        new End(context);
        new End(context);
        assertEquals(1, context.shards().size());
    }

    @ParameterizedTest
    @EnumSource(
            value = SoftPath.class,
            names = {"UDP", "AUTO"})
    void shouldServeThreadsOnShardsOfTheirOwn(SoftPath path) throws Exception {
        int times = 200;
        SoftContext left = open(path);
        SoftContext right = open(path);
        List<End> near = new ArrayList<>();
        List<End> far = new ArrayList<>();
        List<Callable<Integer>> work = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            End from = new End(left);
            End to = new End(right);
            from.connect(to);
            to.connect(from);
            near.add(from);
            far.add(to);
            work.add(() -> from.increment(to, times));
            work.add(() -> to.increment(from, times));
        }
        runAll(work);
        near.forEach(end -> assertEquals(times, end.word()));
        far.forEach(end -> assertEquals(times, end.word()));
        String counter = path == SoftPath.UDP ? Counter.PACKETS_SENT.label() : Counter.SHARED_MESSAGES.label();
        assertTrue(
                left.counters().get(counter) >= 2L * times,
                () -> left.counters().toString());
    }

    private static void runAll(List<Callable<Integer>> work) throws Exception {
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (Future<Integer> done : threads.invokeAll(work, LONG.toSeconds() * 3, TimeUnit.SECONDS)) {
                assertEquals(0, done.get(), "requests failed");
            }
        }
    }

    @Test
    void shouldConnectShardsOfOneDevice() {
        SoftContext context = open(SoftPath.AUTO);
        End first = new End(context);
        End second = new End(context);
        first.connect(second);
        second.connect(first);
        assertEquals(0, first.increment(second, 10));
        assertEquals(0, second.increment(first, 20));
        assertEquals(10, second.word());
        assertEquals(20, first.word());
    }

    @Test
    void shouldReachARegionThroughAnyShardOnBothPaths() {
        for (SoftPath path : List.of(SoftPath.UDP, SoftPath.AUTO)) {
            SoftContext left = open(path);
            SoftContext right = open(path);
            ProtectionDomain pd = right.allocateProtectionDomain();
            // Registered before the second shard is opened, and after that.
            MemoryRegion early = pd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            End a = new End(right, pd, right.createCompletionQueue(16));
            End b = new End(right, pd, right.createCompletionQueue(16));
            MemoryRegion late = pd.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            for (End to : List.of(a, b)) {
                End from = new End(left);
                from.connect(to);
                to.connect(from);
                assertEquals(CompletionStatus.SUCCESS, write(from, early));
                assertEquals(CompletionStatus.SUCCESS, write(from, late));
            }
            early.close();
            End from = new End(left);
            End to = new End(right, pd, b.cq);
            from.connect(to);
            to.connect(from);
            assertEquals(CompletionStatus.REMOTE_ACCESS_ERROR, write(from, early));
        }
    }

    private static CompletionStatus write(End from, MemoryRegion to) {
        assertTrue(from.qp.post(from.qp
                .newSendRequest()
                .write(to.address(), to.rkey())
                .from(from.memory, 0, 32)
                .signaled()));
        CompletionStatus[] status = {null};
        from.cq.poll(completion -> status[0] = completion.status(), 1, LONG);
        return status[0];
    }

    /// The local path of a shard knows completion queues of its own only, so such a queue pair takes the network.
    @Test
    void shouldServeAQueuePairWhoseCompletionQueuesAreOfTwoShards() throws Exception {
        SoftContext left = open(SoftPath.AUTO);
        SoftContext right = open(SoftPath.AUTO);
        End first = new End(left);
        End second = new End(left);
        QueuePair mixed = first.pd.createQueuePair(QueuePairOptions.of(QueuePairType.RC, first.cq, second.cq));
        assertEquals(first.shard(), ShardNumbers.shardOf(mixed.number()));
        End peer = new End(right);
        End.connect(mixed, right, peer.qp);
        End.connect(peer.qp, left, mixed);
        // The other queue pair of the second queue completes requests at the same time.
        End busy = new End(right);
        second.connect(busy);
        busy.connect(second);
        int times = 300;
        for (int i = 0; i < 100; i++) {
            assertTrue(mixed.post(mixed.newReceiveRequest().wrId(i).into(first.memory, 64, 8)));
        }
        int[] received = {0};
        int[] own = {0};
        runAll(List.of(() -> peer.send(times), () -> {
            for (int posted = 0; own[0] < times || received[0] < times; ) {
                if (posted == own[0] && posted < times) {
                    posted++;
                    second.write(busy, 1_000);
                }
                int polled = second.cq.poll(
                        completion -> {
                            if (completion.wrId() == 1_000) {
                                own[0]++;
                            } else {
                                received[0]++;
                                assertTrue(mixed.post(mixed.newReceiveRequest().into(first.memory, 64, 8)));
                            }
                        },
                        1,
                        LONG);
                assertEquals(1, polled, "no completion");
            }
            return 0;
        }));
        assertEquals(times, received[0]);
        assertEquals(times, own[0]);
    }

    @Test
    void shouldResizeAQueueOfTwoShards() {
        SoftContext left = open(SoftPath.UDP);
        SoftContext right = open(SoftPath.UDP);
        End first = new End(left);
        End second = new End(left);
        QueuePair mixed = first.pd.createQueuePair(QueuePairOptions.of(QueuePairType.RC, second.cq, first.cq));
        End peer = new End(right);
        End.connect(mixed, right, peer.qp);
        End.connect(peer.qp, left, mixed);
        first.cq.resize(512);
        assertTrue(mixed.post(mixed.newReceiveRequest().into(first.memory, 0, 8)));
        assertTrue(peer.qp.post(
                peer.qp.newSendRequest().send().from(peer.memory, 0, 8).signaled()));
        assertEquals(1, first.cq.poll(completion -> {}, 1, LONG));
        assertEquals(512, first.cq.capacity());
    }

    /// One thread waits for all queues of a channel, and can sleep on one socket only.
    @Test
    void shouldServeAllQueuesOfAChannelByOneShard() {
        SoftContext left = open(SoftPath.UDP);
        SoftContext right = open(SoftPath.UDP);
        new End(left); // has the first shard
        CompletionChannel channel = left.createCompletionChannel();
        ProtectionDomain pd = left.allocateProtectionDomain();
        Set<Integer> shards = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            CompletionQueue cq = left.createCompletionQueue(16, channel);
            End from = new End(left, pd, cq);
            End to = new End(right);
            shards.add(from.shard());
            from.connect(to);
            to.connect(from);
            cq.arm(false);
            assertTrue(from.qp.post(from.qp.newReceiveRequest().into(from.memory, 0, 8)));
            assertTrue(to.qp.post(to.qp.newSendRequest().send().from(to.memory, 0, 8)));
            assertEquals(cq, channel.await(LONG));
            assertEquals(1, cq.poll(completion -> {}, 1));
        }
        assertNull(channel.await(Duration.ZERO));
        assertEquals(1, shards.size());
    }

    @Test
    void shouldChooseNoShardWhenAQueueIsResized() {
        SoftContext context = open(SoftPath.AUTO);
        CompletionQueue sends = context.createCompletionQueue(16);
        CompletionQueue receives = context.createCompletionQueue(16);
        sends.resize(32);
        receives.resize(64);
        assertEquals(64, receives.capacity());
        ProtectionDomain pd = context.allocateProtectionDomain();
        pd.createQueuePair(QueuePairOptions.of(QueuePairType.RC, sends, receives));
        assertEquals(1, context.shards().size());
    }

    /// Each waits for copies of the other engine, while it has its own.
    @Test
    void shouldBindWindowsOnTwoShardsAtOnce() throws Exception {
        SoftContext left = open(SoftPath.AUTO);
        SoftContext right = open(SoftPath.AUTO);
        List<Callable<Integer>> work = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            End from = new End(left);
            End to = new End(right);
            from.connect(to);
            to.connect(from);
            work.add(() -> from.bind(300));
        }
        runAll(work);
    }

    /// Its copies may use the old key of the window.
    @ParameterizedTest
    @EnumSource
    void shouldEndABindOnlyWhenOtherShardsThatMayUseTheWindowAreDone(MemoryWindowType type) throws Exception {
        SoftContext left = open(SoftPath.UDP);
        SoftContext right = open(SoftPath.UDP);
        End from = new End(left);
        End to = new End(right);
        from.connect(to);
        to.connect(from);
        new End(left);
        assertEquals(2, left.engines().all().size());
        MemoryRegion region = from.pd.allocate(64, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
        MemoryWindow window = from.pd.allocateMemoryWindow(type);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Thread other = Thread.ofPlatform()
                .start(() -> left.engines().all().get(1).execute(() -> {
                    held.countDown();
                    await(mayGoOn);
                }));
        await(held);
        try {
            if (type == MemoryWindowType.TYPE_1) {
                MemoryWindowBind bind = MemoryWindowBind.of(region, region.address(), 64, Access.REMOTE_WRITE);
                assertTrue(window.bind(from.qp, 1, bind));
                from.write(to, 2);
                for (int i = 0; i < POLLS; i++) {
                    assertEquals(0, from.cq.poll(completion -> {}, 1));
                }
                mayGoOn.countDown();
                expect(from, 1);
                expect(from, 2);
            } else {
                int key = Keys.increment(window.rkey());
                assertTrue(from.qp.post(from.qp
                        .newSendRequest()
                        .bindMemoryWindow(window, key, region, region.address(), 64, Access.REMOTE_WRITE)
                        .wrId(1)
                        .signaled()));
                expect(from, 1);
            }
        } finally {
            mayGoOn.countDown();
            other.join();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(LONG.toSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void expect(End end, long wrId) {
        assertEquals(
                1,
                end.cq.poll(
                        completion -> {
                            assertEquals(wrId, completion.wrId());
                            assertEquals(CompletionStatus.SUCCESS, completion.status());
                        },
                        1,
                        LONG));
    }

    @Test
    void shouldLeaveShardsToOtherProcesses() {
        SoftContext first = open(SoftOptions.defaults().shards(32));
        for (int i = 0; i < 40; i++) {
            new End(first);
        }
        assertEquals(32, first.shards().size());
    }
}
