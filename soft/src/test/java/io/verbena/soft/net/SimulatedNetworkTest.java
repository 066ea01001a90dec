package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedNetworkTest {
    private static final InetAddress A = Loopback.address("10.0.0.1");
    private static final InetAddress B = Loopback.address("10.0.0.2");
    private static final InetAddress C = Loopback.address("fd00::3");

    /// Records frames and their arrival times, and sends each frame back with a PSN one higher until `lastPsn`.
    private static final class Host implements Steppable {
        final List<String> log;
        final String name;
        final Wire wire;
        final InetAddress next;
        final SimulatedNetwork network;
        final int lastPsn;

        Host(SimulatedNetwork network, List<String> log, String name, InetAddress here, InetAddress next, int lastPsn) {
            this.network = network;
            this.log = log;
            this.name = name;
            this.next = next;
            this.lastPsn = lastPsn;
            wire = network.wire(here);
            network.add(this);
        }

        @Override
        public int step(long nowNs) {
            Frames frames = new Frames();
            int received = wire.receive(frames, 16);
            for (int psn : frames.psns()) {
                log.add(network.elapsed().toNanos() + name + psn);
                if (psn < lastPsn) {
                    Frames.commit(wire, next, psn + 1, 64);
                }
            }
            wire.flush();
            return received;
        }

        @Override
        public long untilNextNs(long nowNs) {
            return HeldFrames.NEVER_NS;
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final List<String> log = new ArrayList<>();

    @Test
    void shouldDeliverAfterLatency() {
        network.latency(Duration.ofNanos(700));
        Host a = new Host(network, log, "a", A, B, 4);
        new Host(network, log, "b", B, C, 4);
        new Host(network, log, "c", C, A, 4);
        Frames.send(a.wire, B, 0, 64);
        network.run(Duration.ofMillis(1));
        assertEquals(List.of("700b0", "1400c1", "2100a2", "2800b3", "3500c4"), log);
        assertEquals(Duration.ofMillis(1), network.elapsed());
    }

    @Test
    void shouldTellSource() {
        Wire a = network.wire(A);
        Wire c = network.wire(C);
        Frames.send(a, C, 0, Wire.FRAME_BYTES);
        network.run(Duration.ofMillis(1));
        Frames frames = new Frames();
        assertEquals(1, c.receive(frames, 10));
        assertEquals(Gid.of(A), frames.source);
        assertEquals(Wires.PORT, frames.sourcePort);
    }

    @Test
    void shouldKeepOrderOfFramesSentAtOnce() {
        Wire a = network.wire(A);
        Wire b = network.wire(B);
        for (int psn = 0; psn < 64; psn++) {
            Frames.commit(a, B, psn, 64);
        }
        assertEquals(-1, a.claim());
        assertTrue(a.flush());
        Frames frames = new Frames();
        assertEquals(0, b.receive(frames, 64));
        network.run(Duration.ofMillis(1));
        assertEquals(10, b.receive(frames, 10));
        assertEquals(54, b.receive(frames, 64));
        for (int psn = 0; psn < 64; psn++) {
            assertEquals(psn, frames.psns().get(psn));
        }
    }

    @Test
    void shouldGiveSameRunForSameSeed() {
        assertEquals(faultyRun(5), faultyRun(5));
        assertNotEquals(faultyRun(5), faultyRun(6));
    }

    @Test
    void shouldKeepFaultsToTheirLink() {
        network.faults(A, B, FaultPlan.none().withLoss(1));
        Wire a = network.wire(A);
        Wire b = network.wire(B);
        Frames.send(a, B, 0, 64);
        Frames.send(b, A, 1, 64);
        network.run(Duration.ofMillis(1));
        Frames frames = new Frames();
        assertEquals(0, b.receive(frames, 1));
        assertEquals(1, a.receive(frames, 1));
        assertEquals(1, network.counters(A, B).count(Fault.LOSS));
        assertEquals(0, network.counters(B, A).count(Fault.LOSS));
        network.faults(A, B, FaultPlan.none());
        Frames.send(a, B, 2, 64);
        network.run(Duration.ofMillis(1));
        assertEquals(1, b.receive(frames, 1));
        assertEquals(2, network.counters(A, B).frames());
    }

    /// The losses must differ, and must not be shifted copies of each other: otherwise a retried request and its
    /// response would be lost together.
    @Test
    void shouldLoseOtherFramesOnTheWayBack() {
        network.faults(FaultPlan.none().withLoss(0.5));
        Wire a = network.wire(A);
        Wire b = network.wire(B);
        List<Boolean> there = losses(a, B);
        List<Boolean> back = losses(b, A);
        for (int shift = 0; shift < 100; shift++) {
            assertNotEquals(there.subList(shift, shift + 100), back.subList(0, 100));
            assertNotEquals(back.subList(shift, shift + 100), there.subList(0, 100));
        }
    }

    private List<Boolean> losses(Wire from, InetAddress to) {
        List<Boolean> lost = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            long before = network.counters(from.localAddress(), to).count(Fault.LOSS);
            Frames.send(from, to, i, 64);
            lost.add(network.counters(from.localAddress(), to).count(Fault.LOSS) > before);
        }
        return lost;
    }

    @Test
    void shouldCountFramesToNobody() {
        Wire a = network.wire(A);
        Wire b = network.wire(B);
        b.close();
        Frames.send(a, B, 0, 64);
        assertEquals(1, network.unroutable());
        RdmaException taken = assertThrows(RdmaException.class, () -> network.wire(A));
        assertEquals(Errno.EADDRINUSE, taken.errno());
        a.close();
        network.wire(A);
    }

    @Test
    void shouldStepEngineAtItsDeadlineAcrossOverflowOfClock() {
        List<Long> ticks = new ArrayList<>();
        long startNs = network.clock().nowNs();
        network.add(new Steppable() {
            private long dueNs = startNs + 400_000_000;

            @Override
            public int step(long nowNs) {
                if (dueNs - nowNs > 0) {
                    return 0;
                }
                ticks.add((nowNs - startNs) / 1_000_000);
                dueNs += 400_000_000;
                return 1;
            }

            @Override
            public long untilNextNs(long nowNs) {
                return dueNs - nowNs;
            }
        });
        network.run(Duration.ofSeconds(2));
        assertEquals(List.of(400L, 800L, 1200L, 1600L, 2000L), ticks);
        assertTrue(network.clock().nowNs() < 0, "the clock went past its largest value");
    }

    @Test
    void shouldSayWhenNothingHappens() {
        long untilNs = network.clock().nowNs() + 1000;
        assertFalse(network.advance(untilNs));
        assertEquals(untilNs, network.clock().nowNs());
        assertFalse(network.advance(untilNs - 500));
        assertEquals(untilNs, network.clock().nowNs());
    }

    @Test
    void shouldRunUntilReadyOrTimeIsOver() {
        Host a = new Host(network, log, "a", A, B, 100);
        new Host(network, log, "b", B, A, 100);
        Frames.send(a.wire, B, 0, 64);
        assertTrue(network.runUntil(() -> log.size() == 3, Duration.ofSeconds(1).toNanos()));
        assertEquals(Duration.ofNanos(15_000), network.elapsed());
        assertFalse(network.runUntil(() -> false, Duration.ofSeconds(1).toNanos()));
        assertEquals(101, log.size());
    }

    @Test
    void shouldRefuseToRunForEverWithoutTimePassing() {
        network.add(new Steppable() {
            @Override
            public int step(long nowNs) {
                return 1;
            }

            @Override
            public long untilNextNs(long nowNs) {
                return 0;
            }
        });
        assertThrows(IllegalStateException.class, () -> network.run(Duration.ofMillis(1)));
    }

    @Test
    void shouldRefuseToSleep() {
        Wire a = network.wire(A);
        assertThrows(IllegalStateException.class, () -> a.await(1));
    }

    private static List<String> faultyRun(long seed) {
        SimulatedNetwork network = new SimulatedNetwork(seed);
        network.faults(FaultPlan.parse("loss=0.01,duplicate=0.03,reorder=0.1,delay=1us..20us"));
        List<String> log = new ArrayList<>();
        Host a = new Host(network, log, "a", A, B, 50);
        new Host(network, log, "b", B, A, 50);
        for (int i = 0; i < 10; i++) {
            Frames.send(a.wire, B, 0, 64);
        }
        network.run(Duration.ofMillis(50));
        return log;
    }
}
