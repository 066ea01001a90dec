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
    private final ProgramEnvironment environment;
    private final String run;
    private final boolean faulty;
    private final List<ProgramHost> hosts = new ArrayList<>();
    private final List<RandomPoster> posters = new ArrayList<>();

    private Program(long seed, ProgramEnvironment environment, FaultPlan plan, int requests) {
        random = new Random(seed);
        this.environment = environment;
        faulty = !plan.equals(FaultPlan.none());
        Mtu mtu = Mtu.values()[random.nextInt(Mtu.values().length)];
        run = "seed " + seed + ", MTU " + mtu.bytes() + ", " + plan;
        for (int i = 1; i <= HOSTS; i++) {
            hosts.add(new ProgramHost(environment, "10.0.0." + i));
        }
        SharedReceiveQueue[] shared = new SharedReceiveQueue[HOSTS];
        for (int i = 0; i < HOSTS; i++) {
            shared[i] = random.nextBoolean()
                    ? hosts.get(i).pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(ModelledQueuePair.SLOTS))
                    : null;
        }
        for (int i = 0; i < HOSTS; i++) {
            for (int j = 0; j < i; j++) {
                for (int connections = environment.connections(); connections > 0; connections--) {
                    ModelledQueuePair left = new ModelledQueuePair(hosts.get(i), shared[i], random, run);
                    ModelledQueuePair right = new ModelledQueuePair(hosts.get(j), shared[j], random, run);
                    connect(left, right, mtu, requests);
                }
            }
        }
    }

    private void connect(ModelledQueuePair left, ModelledQueuePair right, Mtu mtu, int requests) {
        int reads = 1 + random.nextInt(8);
        left.connect(right, mtu, reads);
        right.connect(left, mtu, reads);
        add(left, mtu, requests);
        add(right, mtu, requests);
    }

    private void add(ModelledQueuePair queuePair, Mtu mtu, int requests) {
        queuePair.host.add(queuePair);
        posters.add(new RandomPoster(queuePair, random, mtu.bytes(), requests));
    }

    /// Runs a program; returns what its peers did.
    static Set<StepKind> run(long seed, FaultPlan plan, int requests) {
        return run(seed, ProgramEnvironment.of(new SimulatedFabric(seed).faults(plan.withSeed(seed))), plan, requests);
    }

    /// As [#run(long, FaultPlan, int)], in an environment of which the plan is known.
    static Set<StepKind> run(long seed, ProgramEnvironment environment, FaultPlan plan, int requests) {
        Program program = new Program(seed, environment, plan, requests);
        try {
            program.work();
            program.hosts.forEach(ProgramHost::verify);
            program.breakEachConnection();
            program.hosts.forEach(ProgramHost::verify);
            Set<StepKind> done = EnumSet.noneOf(StepKind.class);
            program.posters.forEach(poster -> done.addAll(poster.kinds()));
            return done;
        } finally {
            program.hosts.forEach(host -> host.context.closeAll());
        }
    }

    private List<ModelledQueuePair> queuePairs() {
        return hosts.stream().flatMap(host -> host.queuePairs.stream()).toList();
    }

    private void work() {
        boolean done = environment.runUntil(
                () -> {
                    for (ProgramHost host : hosts) {
                        environment.poll(host);
                        host.queuePairs.forEach(this::postReceives);
                    }
                    posters.forEach(RandomPoster::step);
                    return posters.stream().allMatch(RandomPoster::isDone)
                            && queuePairs().stream().allMatch(ModelledQueuePair::isDone);
                },
                LONG);
        assertTrue(done, () -> run + ": not done, " + queuePairs());
    }

    /// Now and then late, so that senders meet no receive.
    private void postReceives(ModelledQueuePair queuePair) {
        while (queuePair.hasFreeSlot() && queuePair.mayPostReceives() && random.nextInt(8) > 0) {
            queuePair.postReceive();
        }
    }

    /// The first of the two ends does something it may not; it and what comes behind it fails, and no byte
    /// changes.
    private void breakEachConnection() {
        for (ModelledQueuePair queuePair : queuePairs()) {
            if (queuePair.host.name.compareTo(queuePair.peer.host.name) < 0) {
                breakConnection(queuePair);
            }
        }
    }

    private void breakConnection(ModelledQueuePair queuePair) {
        queuePair.end();
        queuePair.peer.end();
        int rkey = queuePair.peer.open.rkey();
        long address = queuePair.peer.open.address();
        var request = queuePair.qp.newSendRequest().wrId(1_000_000).signaled();
        switch (random.nextInt(5)) {
            case 0 -> request.write(address, rkey ^ 1);
            case 1 -> request.write(address + ModelledQueuePair.AREA - 63, rkey);
            case 2 -> request.read(address - 1, rkey);
            case 3 ->
                request.read(
                        queuePair.peer.near.address(),
                        queuePair.peer.near.region().lkey());
            default -> request.writeWithImmediate(address, 0, 1);
        }
        assertTrue(queuePair.qp.post(request.from(queuePair.near.region(), ModelledQueuePair.AREA, 64)), run);
        for (int i = 1; i <= 2; i++) {
            assertTrue(
                    queuePair.qp.post(queuePair
                            .qp
                            .newSendRequest()
                            .wrId(1_000_000 + i)
                            .send()
                            .empty()),
                    run);
        }
        boolean done = environment.runUntil(
                () -> {
                    environment.poll(queuePair.host);
                    environment.poll(queuePair.peer.host);
                    return sendsEnded(queuePair) >= 3
                            && (faulty || receivesEnded(queuePair) && receivesEnded(queuePair.peer));
                },
                LONG);
        assertTrue(done, () -> run + ": " + queuePair.ending);
        List<CompletionStatus> statuses = queuePair.ending.stream()
                .filter(completion -> completion.wrId() >= 1_000_000)
                .map(completion -> completion.status())
                .toList();
        assertTrue(
                faulty || sendsEnded(queuePair) == 3 && sendsEnded(queuePair.peer) == 0,
                () -> run + ": " + queuePair.ending);
        // Where packets are lost, the NAK may be one of them, and the peer says nothing more.
        boolean silence = faulty && statuses.getFirst() == CompletionStatus.RETRY_EXCEEDED;
        assertTrue(silence || statuses.getFirst() == CompletionStatus.REMOTE_ACCESS_ERROR, run + ": " + statuses);
        assertEquals(
                List.of(CompletionStatus.WORK_REQUEST_FLUSHED, CompletionStatus.WORK_REQUEST_FLUSHED),
                statuses.subList(1, 3),
                run);
    }

    /// Each once, and all flushed.
    private boolean receivesEnded(ModelledQueuePair queuePair) {
        List<WorkCompletion> ended = queuePair.ending.stream()
                .filter(completion -> completion.wrId() < 1_000_000)
                .toList();
        assertTrue(
                ended.stream().allMatch(end -> end.status() == CompletionStatus.WORK_REQUEST_FLUSHED),
                () -> run + ": " + ended);
        return queuePair.hasFlushed(ended.size());
    }

    private static long sendsEnded(ModelledQueuePair queuePair) {
        return queuePair.ending.stream()
                .filter(completion -> completion.wrId() >= 1_000_000)
                .count();
    }
}
