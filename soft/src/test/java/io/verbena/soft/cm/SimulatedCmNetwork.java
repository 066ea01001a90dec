package io.verbena.soft.cm;

import io.verbena.roce.mad.AttributeId;
import io.verbena.roce.mad.CmMessage;
import io.verbena.soft.engine.Counters;
import io.verbena.soft.engine.Timers;
import io.verbena.soft.shard.ShardNumbers;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Predicate;

/// Agents, a virtual clock, and a network between them that loses, repeats, delays and reorders as told.
final class SimulatedCmNetwork {
    static final long MS = 1_000_000L;
    private static final long LATENCY_NS = 50_000;

    record Sent(long atNs, Node from, CmMessage message) {}

    private record Flight(long dueNs, long order, CmMessage message, long fromLow, long toLow) {}

    final class Node implements CmPort {
        private final PortFacts facts;
        private final Timers timers = new Timers();
        private final Counters counters = new Counters();
        private final ShardNumbers numbers = ShardNumbers.all(new Random(1));
        final CmAgent agent;
        boolean isDown;
        int idleCount;

        Node(PortFacts facts, long seed) {
            this.facts = facts;
            this.agent = new CmAgent(this, new Random(seed), () -> idleCount++);
        }

        @Override
        public void send(CmMessage message, long destinationHigh, long destinationLow) {
            if (isDown) {
                return;
            }
            sent.add(new Sent(nowNs, this, message));
            boolean lost = lose.test(message) || random.nextDouble() < loss;
            if (!lost) {
                fly(message, facts.gid().low(), destinationLow);
            }
            if (random.nextDouble() < duplication) {
                fly(message, facts.gid().low(), destinationLow);
            }
        }

        @Override
        public void onGuid(long guid, long sourceHigh, long sourceLow) {}

        @Override
        public long nowNs() {
            return nowNs;
        }

        @Override
        public Timers timers() {
            return timers;
        }

        @Override
        public Counters counters() {
            return counters;
        }

        @Override
        public PortFacts facts() {
            return facts;
        }

        @Override
        public ShardNumbers numbers() {
            return numbers;
        }
    }

    final List<Node> nodes = new ArrayList<>();
    final List<Sent> sent = new ArrayList<>();
    private final Random random;
    private final PriorityQueue<Flight> flights =
            new PriorityQueue<>(Comparator.comparingLong(Flight::dueNs).thenComparingLong(Flight::order));
    private long order;
    long nowNs = Long.MAX_VALUE - 1000 * MS;
    double loss;
    double duplication;
    long jitterNs;
    Predicate<CmMessage> lose = message -> false;

    SimulatedCmNetwork(long seed) {
        random = new Random(seed);
    }

    Node node(int host, Mtu mtu) {
        Gid gid = new Gid(0, 0xFFFF_0A00_0000L + host);
        Node node = new Node(new PortFacts(0x0200_0000_0000_0000L + host, gid, mtu, 16, 16, 15), host * 31L + 7);
        nodes.add(node);
        return node;
    }

    Node node(int host) {
        return node(host, Mtu.MTU_4096);
    }

    /// Loses the next messages of that kind.
    void loseNext(int count, AttributeId kind) {
        int[] left = {count};
        lose = message -> message.attributeId() == kind && left[0]-- > 0;
    }

    List<AttributeId> kindsFrom(Node node) {
        return sent.stream()
                .filter(s -> s.from() == node)
                .map(s -> s.message().attributeId())
                .toList();
    }

    /// Puts a message on the network as it is, from any address.
    void inject(CmMessage message, long fromLow, Node to) {
        fly(message, fromLow, to.facts.gid().low());
    }

    private void fly(CmMessage message, long fromLow, long toLow) {
        CmMessage copy = CmMessage.decode(MemorySegment.ofArray(message.toBytes()), 0);
        long delayNs = LATENCY_NS + (jitterNs == 0 ? 0 : random.nextLong(jitterNs));
        flights.add(new Flight(nowNs + delayNs, order++, copy, fromLow, toLow));
    }

    /// Advances the clock and delivers everything that is due.
    void run(long durationNs) {
        long endNs = nowNs + durationNs;
        while (true) {
            long nextNs = nextNs();
            if (nextNs - endNs > 0) {
                nowNs = endNs;
                return;
            }
            nowNs = Math.max(0, nextNs - nowNs) + nowNs;
            deliverDue();
            for (Node node : nodes) {
                node.timers.expire(nowNs, fault -> {
                    throw fault;
                });
            }
        }
    }

    private long nextNs() {
        long untilNs = flights.isEmpty() ? Timers.NEVER_NS : flights.peek().dueNs - nowNs;
        for (Node node : nodes) {
            untilNs = Math.min(untilNs, node.timers.untilNextNs(nowNs));
        }
        return nowNs + untilNs;
    }

    private void deliverDue() {
        while (!flights.isEmpty() && flights.peek().dueNs - nowNs <= 0) {
            Flight flight = flights.poll();
            for (Node node : List.copyOf(nodes)) {
                if (node.facts.gid().low() == flight.toLow && !node.isDown) {
                    node.agent.onMessage(flight.message, 0, flight.fromLow);
                }
            }
        }
    }
}
