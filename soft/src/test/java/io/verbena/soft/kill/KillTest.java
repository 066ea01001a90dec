package io.verbena.soft.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Peers that are killed in the middle of everything. `-Dverbena.test.kills=2000` for more of them.
@EnabledOnOs(OS.LINUX)
class KillTest implements OverSharedMemory {
    private static final int KILLS = Integer.getInteger("verbena.test.kills", 9);
    private static final int AT_A_TIME = 3;
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(20);
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());

    private final InetAddress address = Loopback.next();
    private Context context;

    @BeforeEach
    void open() {
        System.out.println("seed " + SEED);
        context = LoopbackPair.openDevice(address);
    }

    @AfterEach
    void close() {
        context.closeAll();
    }

    @Test
    void shouldGoOnWhenPeersAreKilledAtAnyMoment() throws Exception {
        openAllShards();
        Set<String> before = memory();
        AtomicInteger left = new AtomicInteger(KILLS);
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME + 1)) {
            Future<Long> survivor = threads.submit(new Survivor(left));
            List<Future<Void>> killers = new ArrayList<>();
            for (int i = 0; i < AT_A_TIME; i++) {
                Random random = new Random(SEED + i);
                InetAddress its = Loopback.next();
                killers.add(threads.submit(() -> {
                    for (int now = left.getAndDecrement(); now > 0; now = left.getAndDecrement()) {
                        killOne(its, random.nextLong());
                        if (now % 100 == 0) {
                            System.out.println(now + " to go, " + context.counters());
                        }
                    }
                    return null;
                }));
            }
            try {
                for (Future<Void> killer : killers) {
                    killer.get();
                }
            } finally {
                left.set(Integer.MIN_VALUE / 2);
            }
            assertTrue(survivor.get() > 0, "the one that lives has got nothing");
        }
        assertEquals(0, context.counters().getOrDefault(Counter.ENGINE_FAULTS.label(), 0L), "faults");
        assertEquals(0, context.counters().getOrDefault(Counter.PACKETS_SENT.label(), 0L), "over the network");
        Set<String> stays = memory();
        stays.removeAll(before);
        assertEquals(Set.of(), stays, "shared memory of this process");
    }

    /// Each shard has a device page, which stays while the device is open.
    private void openAllShards() {
        try (ProtectionDomain domain = context.allocateProtectionDomain()) {
            for (int i = 0; i < SoftOptions.defaults().shards(); i++) {
                try (CompletionQueue queue = context.createCompletionQueue(1);
                        QueuePair queuePair = domain.createQueuePair(QueuePairOptions.rc(queue))) {
                    assertEquals(i + 1, context.shards().size(), () -> "shards, with " + queuePair);
                }
            }
        }
    }

    /// Names of shared memory that this process has mapped.
    private static Set<String> memory() throws IOException {
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            return mappings.filter(line -> line.contains("memfd:verbena-"))
                    .map(line -> line.substring(line.indexOf("memfd:")))
                    .collect(Collectors.toSet());
        }
    }

    private long shared() {
        return context.counters().getOrDefault(Counter.SHARED_MESSAGES.label(), 0L);
    }

    private void killOne(InetAddress its, long seed) throws Exception {
        Random random = new Random(seed);
        try (ChildJvm child = new ChildJvm(
                        WorkloadProcess.class, its.getHostAddress(), address.getHostAddress(), Long.toString(seed));
                PeerWorkload workload = new PeerWorkload(context, ~seed)) {
            String card = child.line();
            child.tell(workload.card());
            workload.connect(its, card);
            // Often in the middle of connecting, and always while bytes move.
            long killAtNs = System.nanoTime() + random.nextInt(random.nextBoolean() ? 5_000_000 : 100_000_000);
            while (System.nanoTime() < killAtNs) {
                workload.step();
            }
            Callable<Integer> kill = child::kill;
            Thread killer = Thread.ofPlatform().start(() -> call(kill));
            while (killer.isAlive()) {
                workload.step();
            }
            workload.expectFailure(LONG_ENOUGH);
            workload.checkGuards();
        } catch (RuntimeException | Error e) {
            throw new AssertionError("killing of " + its + " with seed " + seed + "; " + context.counters(), e);
        }
    }

    private static void call(Callable<?> action) {
        try {
            action.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /// Runs a workload with a process that is not killed, until the other tests have ended.
    private final class Survivor implements Callable<Long> {
        private final AtomicInteger left;

        Survivor(AtomicInteger left) {
            this.left = left;
        }

        @Override
        public Long call() throws Exception {
            InetAddress its = Loopback.next();
            try (ChildJvm child = new ChildJvm(
                            WorkloadProcess.class,
                            its.getHostAddress(),
                            address.getHostAddress(),
                            Long.toString(SEED));
                    PeerWorkload workload = new PeerWorkload(context, SEED + 1)) {
                String card = child.line();
                child.tell(workload.card());
                workload.connect(its, card);
                assertEquals("connected", child.line());
                long before = shared();
                while (left.get() > -AT_A_TIME) {
                    workload.step();
                    workload.requireSound();
                }
                workload.finish(LONG_ENOUGH);
                child.tell("finish");
                String[] last = new String[1];
                Thread reader = Thread.ofPlatform().start(() -> KillTest.call(() -> last[0] = child.line()));
                assertTrue(workload.pollUntil(() -> !reader.isAlive(), LONG_ENOUGH), "the other side does not finish");
                workload.checkGuards();
                assertTrue(last[0].startsWith("sound "), last[0]);
                assertTrue(last[0].contains(Counter.SHARED_MESSAGES.label()), last[0]);
                assertNull(context.counters().get(Counter.ENGINE_FAULTS.label()));
                assertTrue(shared() > before);
                return workload.received();
            }
        }
    }
}
