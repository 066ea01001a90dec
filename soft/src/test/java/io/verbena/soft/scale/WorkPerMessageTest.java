package io.verbena.soft.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.device.SoftContext;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The cost of a message does not depend on the number of other queue pairs. It is counted in steps and packets under a
/// virtual clock, so that the machine does not matter.
class WorkPerMessageTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    /// Two simulated hosts with many connections between them.
    private static final class World implements AutoCloseable {
        final SimulatedFabric fabric = new SimulatedFabric(1);
        final SoftContext left = open("10.0.0.1");
        final SoftContext right = open("10.0.0.2");
        final CompletionQueue cq = left.createCompletionQueue(4096);
        final List<QueuePair> senders = new ArrayList<>();
        final MemoryRegion source;
        final MemoryRegion target;
        int done;

        World(int connections) {
            ProtectionDomain near = left.allocateProtectionDomain();
            ProtectionDomain far = right.allocateProtectionDomain();
            CompletionQueue farCq = right.createCompletionQueue(64);
            source = near.allocate(4096);
            target = far.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            for (int i = 0; i < connections; i++) {
                QueuePair from = near.createQueuePair(
                        QueuePairOptions.rc(cq).sendRequests(4).receiveRequests(4));
                QueuePair to = far.createQueuePair(
                        QueuePairOptions.rc(farCq).sendRequests(4).receiveRequests(4));
                connect(from, right, to);
                connect(to, left, from);
                senders.add(from);
            }
        }

        private SoftContext open(String address) {
            return (SoftContext) fabric.host(address).device().open();
        }

        private static void connect(QueuePair qp, SoftContext host, QueuePair peer) {
            qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
            qp.modify(QueuePairChange.toRtr(AddressVector.to(host.gid(1, 0)), peer.number(), 1));
            qp.modify(QueuePairChange.toRts(1));
        }

        /// One WRITE of several packets; returns how many steps of the simulation it took.
        int write(QueuePair qp) {
            assertTrue(qp.post(qp.newSendRequest()
                    .write(target.remote())
                    .from(source, 0, 4096)
                    .signaled()));
            int wanted = done + 1;
            int steps = 0;
            while (done < wanted) {
                assertTrue(fabric.advance(LONG));
                cq.poll(completion -> done++, 16);
                steps++;
            }
            return steps;
        }

        long packets() {
            return left.counters().get(Counter.PACKETS_SENT.label())
                    + right.counters().get(Counter.PACKETS_SENT.label());
        }

        @Override
        public void close() {
            left.closeAll();
            right.closeAll();
        }
    }

    /// Steps and packets of the same messages with so many connections around, all of which were used before.
    private static List<Long> cost(int connections) {
        try (World world = new World(connections)) {
            world.senders.forEach(world::write);
            world.fabric.run(LONG);
            long before = world.packets();
            long steps = 0;
            for (int i = 0; i < 20; i++) {
                steps += world.write(world.senders.get(i * 7 % connections));
            }
            world.fabric.run(LONG);
            return List.of(steps, world.packets() - before);
        }
    }

    @Test
    void shouldDoTheSameForAMessageHoweverManyQueuePairsThereAre() {
        List<Long> alone = cost(1);
        System.out.printf("20 messages with 1, 100 and 1000 connections: %s steps and packets%n", alone);
        assertEquals(alone, cost(100));
        assertEquals(alone, cost(1000));
    }

    /// The engine visits queue pairs that are in line to send or to acknowledge, and timers that are armed. An
    /// engine with nothing to wait for has none of these.
    @Test
    void shouldForgetQueuePairsThatHaveNothingToDo() {
        try (World world = new World(1000)) {
            world.senders.forEach(world::write);
            world.fabric.run(LONG);
            for (SoftContext context : List.of(world.left, world.right)) {
                Engine engine = context.engines().first();
                assertEquals(0, engine.timers().size(), "armed timers");
                assertTrue(engine.untilNextDeadlineNs() > LONG.toNanos(), "the engine waits for nothing");
            }
        }
    }
}
