package io.verbena.soft.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.Context;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Peers whose process is stopped, at any point.
@EnabledOnOs(OS.LINUX)
class StoppedPeerTest implements OverSharedMemory {
    private static final int ROUNDS = Integer.getInteger("verbena.test.stops", 2);
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(30);
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());

    private final InetAddress address = Loopback.next();
    private final InetAddress its = Loopback.next();
    private final Context context = LoopbackPair.openDevice(address);

    @AfterEach
    void close() {
        context.closeAll();
    }

    private ChildJvm start(long seed) throws IOException {
        return new ChildJvm(WorkloadProcess.class, its.getHostAddress(), address.getHostAddress(), Long.toString(seed));
    }

    private static void signal(ChildJvm child, String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(child.pid())).start();
        assertTrue(kill.waitFor(20, TimeUnit.SECONDS));
        assertEquals(0, kill.exitValue());
    }

    private static void runFor(PeerWorkload workload, long ns) {
        long start = NanoClock.SYSTEM.nowNs();
        while (NanoClock.SYSTEM.nowNs() - start < ns) {
            workload.step();
        }
    }

    private void connect(PeerWorkload workload, ChildJvm child) throws IOException {
        String card = child.line();
        child.tell(workload.card());
        workload.connect(its, card);
        assertEquals("connected", child.line());
    }

    private void expectNoFaults() {
        assertEquals(0, context.counters().getOrDefault(Counter.ENGINE_FAULTS.label(), 0L));
    }

    @Test
    void shouldEndRequestsToPeerThatIsStoppedForGood() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            try (ChildJvm child = start(SEED + i);
                    PeerWorkload workload = new PeerWorkload(context, i)) {
                connect(workload, child);
                runFor(workload, 20_000_000L * (i + 1));
                signal(child, "STOP");
                runFor(workload, 100_000_000);
                workload.expectFailure(LONG_ENOUGH);
                workload.checkGuards();
                signal(child, "CONT");
                expectNoFaults();
            }
        }
    }

    @Test
    void shouldGoOnWithPeerThatWasStoppedForAMoment() throws Exception {
        try (ChildJvm child = start(SEED);
                PeerWorkload workload = new PeerWorkload(context, 7)) {
            connect(workload, child);
            for (int i = 0; i < 2 * ROUNDS; i++) {
                runFor(workload, 20_000_000);
                long before = workload.received();
                signal(child, "STOP");
                runFor(workload, 150_000_000);
                signal(child, "CONT");
                assertTrue(
                        workload.pollUntil(() -> workload.received() > before, LONG_ENOUGH), "nothing comes any more");
                workload.requireSound();
            }
            workload.finish(LONG_ENOUGH);
            workload.checkGuards();
            assertTrue(child.isAlive());
            expectNoFaults();
        }
    }
}
