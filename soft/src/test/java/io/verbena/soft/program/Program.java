package io.verbena.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Several peers, each connected to each, that do anything to each other over links with faults. In the end
/// each connection breaks because of a request that is wrong.
final class Program {
    private static final Duration LONG = Duration.ofSeconds(2_000);
    private static final int HOSTS = 3;

    private final Random random;
    private final World world;
    private final String run;
    private final boolean faulty;
    private final List<Host> hosts = new ArrayList<>();
    private final List<Poster> posters = new ArrayList<>();

    private Program(long seed, World world, FaultPlan plan, int requests) {
        random = new Random(seed);
        this.world = world;
        faulty = !plan.equals(FaultPlan.none());
        Mtu mtu = Mtu.values()[random.nextInt(Mtu.values().length)];
        run = "seed " + seed + ", MTU " + mtu.bytes() + ", " + plan;
        for (int i = 1; i <= HOSTS; i++) {
            hosts.add(new Host(world, "10.0.0." + i));
        }
        SharedReceiveQueue[] shared = new SharedReceiveQueue[HOSTS];
        for (int i = 0; i < HOSTS; i++) {
            shared[i] = random.nextBoolean()
                    ? hosts.get(i).pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(Lane.SLOTS))
                    : null;
        }
        for (int i = 0; i < HOSTS; i++) {
            for (int j = 0; j < i; j++) {
                for (int connections = world.connections(); connections > 0; connections--) {
                    Lane left = new Lane(hosts.get(i), shared[i], random, run);
                    Lane right = new Lane(hosts.get(j), shared[j], random, run);
                    connect(left, right, mtu, requests);
                }
            }
        }
    }

    private void connect(Lane left, Lane right, Mtu mtu, int requests) {
        int reads = 1 + random.nextInt(8);
        left.connect(right, mtu, reads);
        right.connect(left, mtu, reads);
        add(left, mtu, requests);
        add(right, mtu, requests);
    }

    private void add(Lane lane, Mtu mtu, int requests) {
        lane.host.add(lane);
        posters.add(new Poster(lane, random, mtu.bytes(), requests));
    }

    /// Runs a program; returns what the device did not have.
    static Set<Kind> run(long seed, FaultPlan plan, int requests) {
        return run(seed, World.of(new SimulatedFabric(seed).faults(plan.withSeed(seed))), plan, requests);
    }

    /// As [#run(long, FaultPlan, int)], in a world of which the plan is known.
    static Set<Kind> run(long seed, World world, FaultPlan plan, int requests) {
        Program program = new Program(seed, world, plan, requests);
        try {
            program.work();
            program.hosts.forEach(Host::verify);
            program.breakEachConnection();
            program.hosts.forEach(Host::verify);
            Set<Kind> missing = EnumSet.noneOf(Kind.class);
            program.posters.forEach(poster -> missing.addAll(poster.missing()));
            return missing;
        } finally {
            program.hosts.forEach(host -> host.context.closeAll());
        }
    }

    private List<Lane> lanes() {
        return hosts.stream().flatMap(host -> host.lanes.stream()).toList();
    }

    private void work() {
        boolean done = world.runUntil(
                () -> {
                    for (Host host : hosts) {
                        world.poll(host);
                        host.lanes.forEach(this::postReceives);
                    }
                    posters.forEach(Poster::step);
                    return posters.stream().allMatch(Poster::isDone)
                            && lanes().stream().allMatch(Lane::isDone);
                },
                LONG);
        assertTrue(done, () -> run + ": not done, " + lanes());
    }

    /// Now and then late, so that senders meet no receive.
    private void postReceives(Lane lane) {
        while (lane.hasFreeSlot() && lane.mayPostReceives() && random.nextInt(8) > 0) {
            lane.postReceive();
        }
    }

    /// The first of the two ends does something it may not; it and what comes behind it fails, and no byte
    /// changes.
    private void breakEachConnection() {
        for (Lane lane : lanes()) {
            if (lane.host.name.compareTo(lane.peer.host.name) < 0) {
                breakConnection(lane);
            }
        }
    }

    private void breakConnection(Lane lane) {
        lane.end();
        lane.peer.end();
        int rkey = lane.peer.open.rkey();
        long address = lane.peer.open.address();
        var request = lane.qp.newSendRequest().wrId(1_000_000).signaled();
        switch (random.nextInt(5)) {
            case 0 -> request.write(address, rkey ^ 1);
            case 1 -> request.write(address + Lane.AREA - 63, rkey);
            case 2 -> request.read(address - 1, rkey);
            case 3 ->
                request.read(lane.peer.near.address(), lane.peer.near.region().lkey());
            default -> request.writeWithImmediate(address, 0, 1);
        }
        assertTrue(lane.qp.post(request.into(lane.near.region(), Lane.AREA, 64)), run);
        for (int i = 1; i <= 2; i++) {
            assertTrue(
                    lane.qp.post(
                            lane.qp.newSendRequest().wrId(1_000_000 + i).send().empty()),
                    run);
        }
        boolean done = world.runUntil(
                () -> {
                    world.poll(lane.host);
                    world.poll(lane.peer.host);
                    return sendsEnded(lane) >= 3 && (faulty || receivesEnded(lane) && receivesEnded(lane.peer));
                },
                LONG);
        assertTrue(done, () -> run + ": " + lane.ending);
        List<CompletionStatus> statuses = lane.ending.stream()
                .filter(completion -> completion.wrId() >= 1_000_000)
                .map(completion -> completion.status())
                .toList();
        assertTrue(faulty || sendsEnded(lane) == 3 && sendsEnded(lane.peer) == 0, () -> run + ": " + lane.ending);
        // Where packets are lost, the NAK may be one of them, and the peer says nothing more.
        boolean silence = faulty && statuses.getFirst() == CompletionStatus.RETRY_EXCEEDED;
        assertTrue(silence || statuses.getFirst() == CompletionStatus.REMOTE_ACCESS_ERROR, run + ": " + statuses);
        assertEquals(
                List.of(CompletionStatus.WORK_REQUEST_FLUSHED, CompletionStatus.WORK_REQUEST_FLUSHED),
                statuses.subList(1, 3),
                run);
    }

    /// Each once, and all flushed.
    private boolean receivesEnded(Lane lane) {
        List<WorkCompletion> ended = lane.ending.stream()
                .filter(completion -> completion.wrId() < 1_000_000)
                .toList();
        assertTrue(
                ended.stream().allMatch(end -> end.status() == CompletionStatus.WORK_REQUEST_FLUSHED),
                () -> run + ": " + ended);
        return lane.hasFlushed(ended.size());
    }

    private static long sendsEnded(Lane lane) {
        return lane.ending.stream()
                .filter(completion -> completion.wrId() >= 1_000_000)
                .count();
    }
}
