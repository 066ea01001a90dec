package io.verbena.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.ours.Ours;
import io.verbena.bench.peer.PeerLibraries;
import io.verbena.bench.plain.Plain;
import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Namespaces;
import io.verbena.bench.side.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GoalsTest {
    private static final Set<String> OWN = Set.of(
            Names.SHARED,
            Names.UDP,
            Names.MIXED_OWN_QUEUE,
            Names.MIXED_ONE_QUEUE,
            Names.TWO_THREADS,
            Names.G1,
            Names.SERIAL,
            Names.UDP_ONE_THREAD,
            Names.UDP_TWO_THREADS,
            Names.UDP_OWN_DEVICES,
            Names.ENDPOINT_SHARED,
            Names.ENDPOINT_UDP,
            Names.ENDPOINT_EVENTS,
            Names.ENDPOINT_SERVE,
            Names.TCP,
            Names.RAW_UDP,
            Names.MEMCPY,
            Names.MEMCPY_TWO_THREADS,
            Names.JAVA_COPY,
            Names.CACHE_LINE);

    @Test
    void shouldHoldEveryRowOfTheTable() {
        List<String> rows = Goals.ALL.stream()
                .map(goal -> goal.what() + " | " + goal.against() + " | " + goal.sign() + " " + goal.target())
                .toList();
        assertEquals(
                List.of(
                        "64 B SEND ping-pong, shared memory, payload read | Aeron IPC | ≤ 1.25",
                        "64 B SEND ping-pong, shared memory, payload read | UCX tag_lat posix | ≤ 0.75",
                        "64 B SEND ping-pong, shared memory, completion seen only | UCX tag_lat posix | ≤ 0.7",
                        "64 B SEND ping-pong, shared memory, mixed device | pure device | ≤ 1.1",
                        "64 B WRITE ping-pong, shared memory | UCX put_lat posix | ≤ 1.2",
                        "64 KiB and 1 MiB WRITE and READ bandwidth, shared memory | memcpy | ≥ 0.95",
                        "1 MiB WRITE bandwidth, shared memory, 2 threads on 2 queue pairs | 1 thread | ≥ 1.7",
                        "64 KiB SEND bandwidth, payload read, shared memory | UCX tag_bw posix | ≥ 1.5",
                        "64 B SEND message rate, shared memory | UCX tag_bw posix | ≥ 1.4",
                        "8 B fetch-add, shared memory | cache-line round trip | ≤ 1.3",
                        "64 B SEND ping-pong, shared memory, G1 | Serial | ≤ 1.05",
                        "64 B SEND ping-pong, UDP | SocketChannel TCP busy-poll | ≤ 0.95",
                        "64 B SEND ping-pong, UDP | UCX tag_lat tcp | ≤ 0.8",
                        "64 B SEND ping-pong, UDP | libfabric udp;ofi_rxd | ≤ 0.35",
                        "64 B SEND ping-pong, UDP, p99 | Aeron UDP invoker | ≤ 0.6",
                        "1 MiB WRITE bandwidth, UDP, MTU 4096, ICRC on | raw UDP_SEGMENT+UDP_GRO stream by FFM | ≥ 0.5",
                        "1 MiB WRITE bandwidth, UDP, MTU 4096, ICRC on | libfabric udp;ofi_rxd | ≥ 8.0",
                        "64 B SEND message rate, UDP, 2 threads on 2 queue pairs | 1 thread that drives both | ≥ 1.5",
                        "blocking (no spinning) round trip, UDP, CPU idle between messages"
                                + " | SocketChannel blocking | ≤ 1.15",
                        "post + poll: 0 B allocated, no system call on the shared-memory path |  | ≤ 0.0",
                        "endpoint: 64 B round trip, shared memory | the verbs | ≤ 1.15",
                        "endpoint: 64 B round trip, shared memory, handlers | the verbs | ≤ 1.15",
                        "endpoint: 64 B round trip, shared memory, serve | the verbs | ≤ 1.15",
                        "endpoint: 64 B round trip, UDP | the verbs | ≤ 1.15",
                        "endpoint: 64 B message rate, shared memory | the verbs | ≥ 0.85",
                        "endpoint: 64 B message rate, shared memory, handlers | the verbs | ≥ 0.85",
                        "endpoint: 64 B message rate, UDP | the verbs | ≥ 0.85",
                        "endpoint: 1 MiB message bandwidth, shared memory | WRITE | ≥ 0.95",
                        "endpoint: 1 MiB message bandwidth, UDP | WRITE | ≥ 0.95",
                        "endpoint: one small object for each message at most |  | ≤ 96.0",
                        "endpoint, handlers: 0 B allocated |  | ≤ 0.0"),
                rows);
    }

    @Test
    void shouldRepeatTheGoalsOfANetworkBetweenNamespaces() {
        assertEquals(
                List.of(
                        "64 B SEND ping-pong, UDP over veth | SocketChannel TCP busy-poll",
                        "64 B SEND ping-pong, UDP over veth | UCX tag_lat tcp",
                        "64 B SEND ping-pong, UDP over veth | libfabric udp;ofi_rxd",
                        "64 B SEND ping-pong, UDP over veth, p99 | Aeron UDP invoker",
                        "1 MiB WRITE bandwidth, UDP over veth, MTU 4096, ICRC on"
                                + " | raw UDP_SEGMENT+UDP_GRO stream by FFM",
                        "1 MiB WRITE bandwidth, UDP over veth, MTU 4096, ICRC on | libfabric udp;ofi_rxd",
                        "blocking (no spinning) round trip, UDP over veth, CPU idle between messages"
                                + " | SocketChannel blocking",
                        "endpoint: 64 B message rate, UDP over veth | the verbs",
                        "endpoint: 1 MiB message bandwidth, UDP over veth | WRITE"),
                Goals.OVER_VETH.stream()
                        .map(goal -> goal.what() + " | " + goal.against())
                        .toList());
        List<Contestant> contestants = new ArrayList<>(Ours.overNetwork(Namespaces.NETWORK));
        contestants.addAll(Plain.overNetwork(Namespaces.NETWORK));
        contestants.addAll(PeerLibraries.overNetwork(new Settings("ucx_perftest", Namespaces.NETWORK)));
        for (Goal goal : Goals.OVER_VETH) {
            for (Cell cell : goal.cells()) {
                assertTrue(
                        contestants.stream()
                                .anyMatch(one -> one.name().equals(cell.contestant()) && one.can(cell.measurement())),
                        cell.toString());
            }
        }
    }

    @Test
    void shouldNameOnlyWhatOwnContestantsCanDo() {
        List<Contestant> own = new ArrayList<>(Ours.all());
        own.addAll(Plain.all());
        own.add(Plain.cacheLine());
        assertEquals(OWN, own.stream().map(Contestant::name).collect(Collectors.toSet()));
        for (Goal goal : Goals.ALL) {
            for (Cell cell : goal.cells()) {
                boolean can = own.stream()
                        .anyMatch(one -> one.name().equals(cell.contestant()) && one.can(cell.measurement()));
                assertTrue(can || !OWN.contains(cell.contestant()), cell.toString());
            }
        }
    }

    @Test
    void shouldMeasureEachCellOnceInARound() {
        List<Contestant> own = new ArrayList<>(Ours.all());
        own.addAll(Plain.all());
        for (boolean quick : new boolean[] {true, false}) {
            RunPlan plan = RunPlan.of(own, Goals.ALL, quick, null);
            List<Cell> all = new ArrayList<>(plan.goalCells());
            all.addAll(plan.otherCells());
            assertEquals(all.size(), Set.copyOf(all).size());
            assertTrue(plan.goalCells()
                    .contains(new Cell(
                            Names.UDP, Goals.FREE.pairs().getFirst().ours().measurement())));
        }
    }

    @Test
    void shouldJudgeOnlyTheGoalsThatAreAskedFor() {
        List<Contestant> own = new ArrayList<>(Ours.all());
        own.addAll(Plain.all());
        List<Goal> byCells = RunPlan.of(own, Goals.ALL, true, Pattern.compile("64 B send round trip"))
                .goals();
        assertTrue(byCells.contains(Goals.ALL.getFirst()), "all it needs is measured: " + byCells);
        assertFalse(byCells.contains(Goals.FREE), "nobody asked for what a message allocates");
        assertEquals(
                List.of(Goals.FREE),
                RunPlan.of(own, Goals.ALL, true, Pattern.compile("post")).goals());
    }
}
