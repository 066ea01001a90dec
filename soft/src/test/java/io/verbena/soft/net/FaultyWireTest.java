package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.fault.FrameMatcher;
import io.verbena.soft.os.NanoClock;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultyWireTest {
    private static final InetAddress A = Loopback.address("10.0.0.1");
    private static final InetAddress B = Loopback.address("10.0.0.2");

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final Wire receiver = network.wire(B);
    private final Frames frames = new Frames();

    @Test
    void shouldPassEverythingWithoutFaults() {
        run(FaultPlan.none(), 1000);
        assertEquals(IntStream.range(0, 1000).boxed().toList(), frames.psns());
    }

    @Test
    void shouldDoWhatPlanSaysAsOftenAsItSays() {
        FaultPlan plan = FaultPlan.none()
                .withLoss(0.1)
                .withDuplicate(0.05)
                .withReorder(0.02)
                .withCorrupt(0.01)
                .withSeed(42);
        FaultyWire wire = run(plan, 100_000);
        assertEquals(100_000, wire.counters().frames());
        assertNear(10_000, wire.counters().count(Fault.LOSS));
        assertNear(4_500, wire.counters().count(Fault.DUPLICATE));
        assertNear(1_800, wire.counters().count(Fault.REORDER));
        assertNear(900, wire.counters().count(Fault.CORRUPT));
        assertEquals(
                100_000 - wire.counters().count(Fault.LOSS) + wire.counters().count(Fault.DUPLICATE),
                frames.received.size());
    }

    @Test
    void shouldDoTheSameForSameSeed() {
        FaultPlan plan = FaultPlan.parse("loss=0.1,duplicate=0.1,reorder=0.1,corrupt=0.1,delay=1us..1ms,seed=7");
        List<List<Integer>> runs = new ArrayList<>();
        for (FaultPlan each : List.of(plan, plan, plan.withSeed(8))) {
            FaultyWireTest test = new FaultyWireTest();
            test.run(each, 1000);
            runs.add(test.frames.psns());
        }
        assertEquals(runs.get(0), runs.get(1));
        assertNotEquals(runs.get(0), runs.get(2));
    }

    @Test
    void shouldDropNthFrame() {
        run(FaultPlan.none().dropNth(0).dropNth(3), 5);
        assertEquals(List.of(1, 2, 4), frames.psns());
    }

    @Test
    void shouldDropFirstFramesThatMatch() {
        FaultyWire wire =
                new FaultyWire(network.wire(A), FaultPlan.none().dropWhen(FrameMatcher.psn(7), 2), network.clock());
        for (int i = 0; i < 3; i++) {
            Frames.send(wire, B, 7, 64);
            Frames.send(wire, B, 8, 64);
        }
        receiveAll(wire);
        assertEquals(List.of(8, 8, 7, 8), frames.psns());
    }

    @Test
    void shouldMatchByOpcodeAndQueuePair() {
        FrameMatcher sends = FrameMatcher.opcode(4);
        run(FaultPlan.none().dropWhen(sends.and(FrameMatcher.nth(1)).or(FrameMatcher.psn(2))), 4);
        assertEquals(List.of(0, 3), frames.psns());
    }

    @Test
    void shouldDuplicate() {
        run(FaultPlan.none().when(FrameMatcher.psn(1), Fault.DUPLICATE, 1), 3);
        assertEquals(List.of(0, 1, 1, 2), frames.psns().stream().sorted().toList());
    }

    @Test
    void shouldLetOthersOvertake() {
        run(FaultPlan.none().when(FrameMatcher.psn(1), Fault.REORDER, 1), 6);
        assertEquals(List.of(0, 2, 3, 4, 5, 1), frames.psns());
    }

    @Test
    void shouldTurnOneBitOver() {
        run(FaultPlan.none().withCorrupt(1), 50);
        for (int psn = 0; psn < 50; psn++) {
            byte[] sent = Frames.pattern(psn, 64);
            int bits = 0;
            for (int i = 0; i < sent.length; i++) {
                bits += Integer.bitCount((sent[i] ^ frames.received.get(psn)[i]) & 0xFF);
            }
            assertEquals(1, bits);
        }
    }

    @Test
    void shouldDelayAndKeepOrder() {
        FaultPlan plan = FaultPlan.none().withDelay(Duration.ofMillis(1), Duration.ofMillis(3));
        FaultyWire wire = new FaultyWire(network.wire(A), plan, network.clock());
        IntStream.range(0, 30).forEach(psn -> Frames.commit(wire, B, psn, 64));
        wire.flush();
        network.run(Duration.ofNanos(990_000));
        receiveAt(wire);
        assertTrue(frames.received.isEmpty());
        for (int i = 0; i < 25; i++) {
            network.run(Duration.ofNanos(100_000));
            receiveAt(wire);
        }
        assertEquals(IntStream.range(0, 30).boxed().toList(), frames.psns());
        assertEquals(30, wire.counters().count(Fault.DELAY));
    }

    @Test
    void shouldReleaseMoreThanTheWireHoldsAtOnce() {
        FaultPlan plan = FaultPlan.none().withDelay(Duration.ofMillis(1), Duration.ofMillis(1));
        FaultyWire wire = new FaultyWire(network.wire(A), plan, network.clock());
        IntStream.range(0, 500).forEach(psn -> Frames.send(wire, B, psn, 64));
        network.run(Duration.ofMillis(2));
        receiveAll(wire);
        assertEquals(500, frames.received.size());
    }

    @Test
    void shouldNotSleepPastFrameThatIsDue() throws InterruptedException {
        InetAddress here = Loopback.next();
        FaultPlan plan = FaultPlan.none().withDelay(Duration.ofMillis(20), Duration.ofMillis(20));
        try (FaultyWire wire = new FaultyWire(Wires.open(here), plan, NanoClock.SYSTEM)) {
            Frames.send(wire, here, 1, 64);
            frames.await(wire, 1);
            assertEquals(1, frames.received.size());

            // Held back while somebody sleeps already.
            Thread sleeper = Thread.ofPlatform()
                    .start(() -> wire.await(Duration.ofMinutes(10).toNanos()));
            Thread.sleep(20);
            Frames.send(wire, here, 2, 64);
            sleeper.join(Duration.ofSeconds(20));
            assertTrue(!sleeper.isAlive());
        }
    }

    private FaultyWire run(FaultPlan plan, int count) {
        FaultyWire wire = new FaultyWire(network.wire(A), plan, network.clock());
        for (int psn = 0; psn < count; psn++) {
            Frames.send(wire, B, psn, 64);
            if (psn % 64 == 63) {
                receiveAt(wire);
                network.run(Duration.ofNanos(10_000));
            }
        }
        receiveAll(wire);
        return wire;
    }

    private void receiveAll(FaultyWire wire) {
        for (int i = 0; i < 100; i++) {
            network.run(Duration.ofNanos(100_000));
            receiveAt(wire);
        }
    }

    private void receiveAt(FaultyWire wire) {
        wire.receive(frames, 1); // releases what is due
        receiver.receive(frames, Integer.MAX_VALUE);
    }

    private static void assertNear(long expected, long actual) {
        double deviations = Math.abs(actual - expected) / Math.sqrt(expected);
        assertTrue(deviations < 5, "about " + expected + ", but " + actual);
    }
}
