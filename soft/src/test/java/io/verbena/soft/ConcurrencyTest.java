package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.Context;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Many threads, many queue pairs, many devices; and nothing left behind.
class ConcurrencyTest {
    private static final int LONG_SECONDS = 60;

    private static void connect(QueuePair qp, InetAddress peer, int number) {
        ConnectionEnd.initialise(qp);
        qp.modify(QueuePairChange.toRtr(AddressVector.to(peer), number, 1));
        qp.modify(QueuePairChange.toRts(1).timeout(16));
    }

    private static void checkTime(long startNs) {
        assertTrue(NanoClock.SYSTEM.nowNs() - startNs < LONG_SECONDS * 1_000_000_000L, "it takes too long");
    }

    @Test
    void shouldCompleteEachRequestOnceWhenSeveralThreadsPostAndPoll() throws Exception {
        int threads = 4;
        int each = 2_000;
        try (LoopbackPair pair = new LoopbackPair(4096)) {
            AtomicIntegerArray seen = new AtomicIntegerArray(threads * each);
            AtomicInteger done = new AtomicInteger();
            AtomicInteger failed = new AtomicInteger();
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int first = t * each;
                running.add(CompletableFuture.runAsync(
                        () -> postAndPoll(pair, first, each, seen, done, failed),
                        task -> Thread.ofPlatform().start(task)));
            }
            for (CompletableFuture<Void> thread : running) {
                thread.get(LONG_SECONDS, TimeUnit.SECONDS);
            }
            for (int i = 0; i < seen.length(); i++) {
                assertEquals(1, seen.get(i), "completions of request " + i);
            }
            assertEquals(0, failed.get());
        }
    }

    private static void postAndPoll(
            LoopbackPair pair,
            int first,
            int count,
            AtomicIntegerArray seen,
            AtomicInteger done,
            AtomicInteger failed) {
        SendRequest request = pair.left
                .qp
                .newSendRequest()
                .write(pair.right.memory.remote())
                .from(pair.left.memory, 0, 64)
                .signaled();
        long start = NanoClock.SYSTEM.nowNs();
        int posted = 0;
        while (done.get() < seen.length()) {
            if (posted < count && pair.left.qp.post(request.wrId(first + posted))) {
                posted++;
            }
            pair.left.cq.poll(
                    completion -> {
                        seen.incrementAndGet((int) completion.wrId());
                        failed.addAndGet(completion.status() == CompletionStatus.SUCCESS ? 0 : 1);
                        done.incrementAndGet();
                    },
                    4);
            pair.right.cq.poll(completion -> failed.incrementAndGet(), 4);
            checkTime(start);
        }
    }

    @Test
    void shouldRunManyQueuePairsOnOneCompletionQueue() {
        int count = 64;
        int rounds = 20;
        try (LoopbackPair pair = new LoopbackPair(count * 4096L)) {
            List<QueuePair> left = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                QueuePair here = pair.left.pd.createQueuePair(QueuePairOptions.rc(pair.left.cq));
                QueuePair there = pair.right.pd.createQueuePair(QueuePairOptions.rc(pair.right.cq));
                connect(here, pair.right.address, there.number());
                connect(there, pair.left.address, here.number());
                left.add(here);
            }
            for (int round = 1; round <= rounds; round++) {
                pair.left.completions.clear();
                for (int i = 0; i < count; i++) {
                    pair.left.memory.memory().set(ValueLayout.JAVA_INT, i * 4096L, round * 1000 + i);
                    assertTrue(left.get(i)
                            .post(left.get(i)
                                    .newSendRequest()
                                    .wrId(i)
                                    .write(pair.right.memory.address() + i * 4096L, pair.right.memory.rkey())
                                    .from(pair.left.memory, i * 4096L, 4096)
                                    .signaled()));
                }
                pair.expect(pair.left, count);
                for (var completion : pair.left.completions) {
                    assertEquals(left.get((int) completion.wrId()).number(), completion.qpNumber());
                }
                for (int i = 0; i < count; i++) {
                    assertEquals(round * 1000 + i, pair.right.memory.memory().get(ValueLayout.JAVA_INT, i * 4096L));
                }
            }
            assertEquals(0, pair.right.counter(Counter.ENGINE_FAULTS));
        }
    }

    @Test
    void shouldRunSeveralDevicesAtOnce() throws Exception {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int d = 0; d < 6; d++) {
            int seed = d;
            running.add(CompletableFuture.runAsync(
                    () -> {
                        try (LoopbackPair pair = new LoopbackPair(1 << 18, Mtu.MTU_1024)) {
                            byte[] data = pair.left.fill(0, 1 << 18, seed);
                            pair.left.write(1, 0, data.length, 0);
                            pair.expect(pair.left, 1);
                            assertEquals(-1, java.util.Arrays.mismatch(data, pair.right.bytes(0, data.length)));
                        }
                    },
                    task -> Thread.ofPlatform().start(task)));
        }
        for (CompletableFuture<Void> device : running) {
            device.get(LONG_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static long deviceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("verbena-"))
                .count();
    }

    private static long descriptors(Path list) throws IOException {
        try (Stream<Path> open = Files.list(list)) {
            return open.count();
        }
    }

    private static void openUseAndClose(InetAddress address) {
        try (Context context = LoopbackPair.openDevice(address)) {
            ConnectionEnd end = new ConnectionEnd(context, address, 4096);
            end.poll();
            end.context.closeAll();
        }
    }

    @Test
    void shouldLeaveNoThreadAndNoDescriptorBehind() throws Exception {
        InetAddress address = Loopback.next();
        openUseAndClose(address);
        long threads = deviceThreads();
        Path list = Path.of("/proc/self/fd");
        long before = Files.isDirectory(list) ? descriptors(list) : -1;
        for (int i = 0; i < 100; i++) {
            openUseAndClose(address);
        }
        assertEquals(threads, deviceThreads());
        Assumptions.assumeTrue(before >= 0, "this system does not list open descriptors in /proc/self/fd");
        assertTrue(descriptors(list) <= before + 2, "from " + before + " to " + descriptors(list) + " descriptors");
    }
}
