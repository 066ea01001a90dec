package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.RdmaException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs that do anything at any time over a network that loses, repeats, delays and reorders: in the end every
/// attempt has ended exactly once and nothing is left.
class CmRandomFaultTest {
    private static final int ROUNDS = 40;

    private record Run(
            long seed,
            Random random,
            SimulatedCmNetwork network,
            List<RecordingHandler> clients,
            Set<RecordingHandler> closed) {}

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 20, 50})
    void shouldEndEveryConnectionExactlyOnce(int lossPercent) {
        for (int i = 0; i < ROUNDS; i++) {
            run(lossPercent * 1000L + i, lossPercent / 100.0);
        }
    }

    private void run(long seed, double loss) {
        Random random = new Random(seed);
        SimulatedCmNetwork network = new SimulatedCmNetwork(seed);
        network.loss = loss;
        network.duplication = random.nextDouble() / 2;
        network.jitterNs = 1 + random.nextLong(300 * SimulatedCmNetwork.MS);
        List<SimulatedCmNetwork.Node> nodes = List.of(network.node(1), network.node(2), network.node(3));
        List<RecordingHandler.Listener> listeners =
                nodes.stream().map(RecordingHandler.Listener::on).toList();
        Run run = new Run(seed, random, network, new ArrayList<>(), new HashSet<>());
        for (int step = 0; step < 60; step++) {
            if (run.clients.size() < 10) {
                RecordingHandler client = new RecordingHandler();
                client.connect(nodes.get(random.nextInt(3)), nodes.get(random.nextInt(3)));
                run.clients.add(client);
            }
            everyEnd(run, listeners).forEach(end -> actAtRandom(run, end));
            network.run(random.nextLong(400 * SimulatedCmNetwork.MS));
        }
        heal(run, listeners);
        for (RecordingHandler end : everyEnd(run, listeners)) {
            boolean mustEnd = !run.closed.contains(end) && (run.clients.contains(end) || end.plan != null);
            assertTrue(!mustEnd || end.terminalEvents() == 1, "seed " + seed + ": " + end.events);
            assertTrue(end.terminalEvents() <= 1, "seed " + seed + ": " + end.events);
            assertEquals(CmState.CLOSED, end.connection.state(), "seed " + seed);
        }
        for (SimulatedCmNetwork.Node node : nodes) {
            assertTrue(node.agent.tables().isEmpty(), "seed " + seed);
            assertTrue(node.agent.halfOpen().isEmpty(), "seed " + seed);
            assertEquals(0, node.timers().size(), "seed " + seed);
            assertTrue(node.agent.isIdle());
        }
    }

    private static List<RecordingHandler> everyEnd(Run run, List<RecordingHandler.Listener> listeners) {
        List<RecordingHandler> ends = new ArrayList<>(run.clients);
        listeners.forEach(listener -> ends.addAll(listener.requests));
        return ends;
    }

    private static void actAtRandom(Run run, RecordingHandler end) {
        if (run.random.nextInt(100) == 0 && run.closed.add(end)) {
            end.connection.close();
            return;
        }
        switch (end.connection.state()) {
            case REQ_RECEIVED -> {
                int choice = run.random.nextInt(6);
                if (choice < 3) {
                    end.accept();
                } else if (choice == 3) {
                    end.connection.reject("no".getBytes());
                }
            }
            case ESTABLISHED, REP_SENT -> {
                if (run.random.nextInt(10) == 0) {
                    end.connection.disconnect(RecordingHandler.TIMEOUT_NS);
                }
            }
            default -> {}
        }
    }

    /// The network recovers, and every program finishes what it has.
    private static void heal(Run run, List<RecordingHandler.Listener> listeners) {
        run.network.loss = 0;
        run.network.duplication = 0;
        run.network.jitterNs = 0;
        for (int i = 0; i < 4; i++) {
            for (RecordingHandler end : everyEnd(run, listeners)) {
                try {
                    switch (end.connection.state()) {
                        case REQ_RECEIVED -> end.connection.reject(new byte[0]);
                        case ESTABLISHED -> end.connection.disconnect(RecordingHandler.TIMEOUT_NS);
                        default -> {}
                    }
                } catch (RdmaException e) {
                    throw new AssertionError("seed " + run.seed, e);
                }
            }
            run.network.run(6_000 * SimulatedCmNetwork.MS);
        }
    }
}
