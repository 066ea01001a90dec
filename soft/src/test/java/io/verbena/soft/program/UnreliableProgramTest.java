package io.verbena.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.verbs.Context;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Unreliable transports between three peers: what arrives was sent, whole and unchanged; all of it on a good
/// network, some of it in order where packets are lost.
class UnreliableProgramTest {
    private static final int SEEDS = Integer.getInteger("verbena.test.seeds", 6);
    private static final int MESSAGES = 60;

    @ParameterizedTest
    @EnumSource(
            value = QueuePairType.class,
            names = {"UC", "UD"})
    void shouldDeliverOnlyWhatWasSent(QueuePairType type) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            FaultPlan none = FaultPlan.none().withSeed(seed);
            run(type, seed, none, Loss.NOTHING);
            run(type, seed, none.withLoss(0.05), Loss.SOME_IN_ORDER);
            run(type, seed, none.withCorrupt(0.05), Loss.SOME_IN_ORDER);
            run(type, seed, none.withLoss(0.02).withReorder(0.05).withDuplicate(0.05), Loss.SOME);
        }
    }

    private enum Loss {
        NOTHING,
        SOME_IN_ORDER,
        SOME
    }

    private static void run(QueuePairType type, long seed, FaultPlan plan, Loss loss) {
        String run = type + ", seed " + seed + ", " + plan;
        Random random = new Random(seed);
        Mtu mtu = Mtu.values()[random.nextInt(Mtu.values().length)];
        SimulatedFabric fabric = new SimulatedFabric(seed).faults(plan);
        List<Context> contexts = List.of(
                fabric.host("10.0.0.1").device().open(),
                fabric.host("10.0.0.2").device().open(),
                fabric.host("10.0.0.3").device().open());
        try {
            List<UnreliableEnd> ends = new ArrayList<>();
            connect(contexts.get(0), contexts.get(1), type, mtu, ends);
            connect(contexts.get(1), contexts.get(2), type, mtu, ends);
            connect(contexts.get(2), contexts.get(0), type, mtu, ends);
            for (int i = 0; i < MESSAGES; i++) {
                ends.forEach(end -> end.send(random));
                fabric.run(Duration.ofNanos(random.nextInt(100_000)));
                ends.forEach(UnreliableEnd::poll);
            }
            fabric.run(Duration.ofSeconds(1));
            ends.forEach(UnreliableEnd::poll);
            for (int i = 0; i < ends.size(); i++) {
                check(ends.get(i ^ 1).sent, ends.get(i).arrived, loss, run);
                ends.get(i).assertGuardsUntouched();
            }
            for (Context context : contexts) {
                assertEquals(0, context.counters().getOrDefault(Counter.ENGINE_FAULTS.label(), 0L), run);
            }
        } catch (UnsupportedVerbException notYet) {
            Assumptions.abort(notYet.getMessage());
        } finally {
            contexts.forEach(Context::closeAll);
        }
    }

    private static void connect(Context left, Context right, QueuePairType type, Mtu mtu, List<UnreliableEnd> ends) {
        // UD messages fill one packet of the port's MTU.
        Mtu used = type == QueuePairType.UD ? Mtu.MTU_1024 : mtu;
        UnreliableEnd near = new UnreliableEnd(left, type, used, ends.size() * 100_000);
        UnreliableEnd far = new UnreliableEnd(right, type, used, (ends.size() + 1) * 100_000);
        near.connect(far, used);
        far.connect(near, used);
        ends.add(near);
        ends.add(far);
    }

    private static void check(List<Integer> sent, List<Integer> arrived, Loss loss, String run) {
        assertTrue(!sent.isEmpty(), run);
        switch (loss) {
            case NOTHING -> assertEquals(sent, arrived, run);
            case SOME_IN_ORDER -> {
                int next = 0;
                for (Integer number : arrived) {
                    int ahead = sent.subList(next, sent.size()).indexOf(number);
                    assertTrue(ahead >= 0, () -> run + ": " + number + " out of place in " + arrived);
                    next += ahead + 1;
                }
                assertTrue(arrived.size() > sent.size() / 2, run + ": " + arrived.size() + " of " + sent.size());
            }
            default -> assertTrue(new HashSet<>(sent).containsAll(arrived), run);
        }
    }
}
