package io.verbena.soft.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.soft.shard.SharedAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Processes at one address that all talk to each other, of which the one that keeps the address is killed again and
/// again. More rounds by `-Dverbena.test.rounds`.
@Tag("slow")
@Timeout(value = 1, unit = TimeUnit.HOURS) // for more rounds, each of which has a deadline
@EnabledOnOs(OS.LINUX)
class KilledKeeperTest {
    private static final int ROUNDS = Integer.getInteger("verbena.test.rounds", 8);
    private static final int NODES = 4;
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(100);
    private static final long LONGEST_NS = 30_000_000_000L;
    private static final long PAUSE_NS = 200_000;

    private record Node(int number, ChildJvm process, int port) {}

    private final InetAddress address = Loopback.next();
    private final List<Node> nodes = new ArrayList<>();
    private int numbers;
    private String path;

    @AfterEach
    void close() throws IOException, InterruptedException {
        for (Node node : nodes) {
            node.process.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "auto"})
    void shouldLoseNoConnectionOfOthersWhenTheKeeperIsKilled(String wanted) throws Exception {
        path = wanted;
        long[] tookNs = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            int round = i;
            tookNs[i] = assertTimeoutPreemptively(LONGEST_ROUND, this::playRound, () -> "round " + round);
        }
        Arrays.sort(tookNs);
        System.out.println("%d keepers killed, path %s, takeover p50 %.1f ms, p99 %.1f ms, max %.1f ms"
                .formatted(ROUNDS, path, part(tookNs, 0.5), part(tookNs, 0.99), part(tookNs, 1)));
    }

    /// Returns how long the group was without a keeper.
    private long playRound() throws Exception {
        while (nodes.size() < NODES) {
            add();
        }
        expectProgress();
        long tookNs = killKeeper();
        expectProgress();
        return tookNs;
    }

    /// In milliseconds, the longest of that part of all.
    private static double part(long[] sortedNs, double part) {
        return sortedNs[(int) Math.ceil(part * sortedNs.length) - 1] / 1e6;
    }

    /// Starts a process, which connects to all that are there.
    private void add() throws IOException {
        int number = ++numbers;
        ChildJvm process = new ChildJvm(
                List.of(),
                List.of("-Dverbena.soft.path=" + path),
                SharedAddressNode.class,
                address.getHostAddress(),
                Integer.toString(number));
        Node node = new Node(number, process, Integer.parseInt(process.line().substring("listening ".length())));
        for (Node other : nodes) {
            process.tell("connect " + other.port);
            assertEquals("connected " + other.number, process.line());
        }
        nodes.add(node);
    }

    private long killKeeper() throws Exception {
        long pid = SharedAddress.keeper(address.getHostAddress());
        Node keeper = nodes.stream()
                .filter(node -> node.process.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new AssertionError("process " + pid + " keeps the address"));
        nodes.remove(keeper);
        long startNs = NanoClock.SYSTEM.nowNs();
        keeper.process.kill();
        until("somebody keeps the address", () -> {
            long next = SharedAddress.keeper(address.getHostAddress());
            return next != 0 && next != pid;
        });
        long tookNs = NanoClock.SYSTEM.nowNs() - startNs;
        for (Node node : nodes) {
            // With the network path, a dead peer is noticed by a request that nobody answers.
            assertEquals("ended " + keeper.number, node.process.line());
        }
        return tookNs;
    }

    private interface Question {
        boolean ask() throws IOException;
    }

    private static void until(String what, Question question) throws IOException {
        long startNs = NanoClock.SYSTEM.nowNs();
        while (!question.ask()) {
            assertTrue(NanoClock.SYSTEM.nowNs() - startNs < LONGEST_NS, what);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /// Messages go back and forth between each two.
    private void expectProgress() throws IOException {
        for (Node node : nodes) {
            Map<Integer, Long> before = status(node);
            assertEquals(nodes.size() - 1, before.size(), () -> "connections of " + node.number + ": " + before);
            until("messages of " + node.number, () -> {
                Map<Integer, Long> now = status(node);
                assertEquals(before.keySet(), now.keySet());
                return now.keySet().stream().allMatch(peer -> now.get(peer) > before.get(peer));
            });
        }
    }

    private static Map<Integer, Long> status(Node node) throws IOException {
        node.process.tell("status");
        String line = node.process.line();
        assertTrue(line.startsWith("status"), line);
        assertFalse(line.contains("wrong"), line);
        Map<Integer, Long> messages = new HashMap<>();
        Arrays.stream(line.split(" "))
                .skip(1)
                .map(text -> text.split("="))
                .forEach(parts -> messages.put(Integer.parseInt(parts[0]), Long.parseLong(parts[1])));
        return messages;
    }
}
