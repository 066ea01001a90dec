package io.verbena.soft.kill;

import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// The workloads of several queue pairs of one device with one peer, driven by one thread. Meanwhile regions and queue
/// pairs are created and closed.
final class PeerWorkload implements AutoCloseable {
    private static final int QUEUE_PAIRS = 4;
    private static final int BATCH = 16;

    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final Arena arena = Arena.ofShared();
    private final Random random;
    private final List<QueuePairWorkload> workloads = new ArrayList<>();
    private final Map<Integer, QueuePairWorkload> byNumber = new HashMap<>();

    PeerWorkload(Context context, long seed) {
        random = new Random(seed);
        domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(1024, null);
        for (int i = 0; i < QUEUE_PAIRS; i++) {
            QueuePairWorkload made =
                    new QueuePairWorkload(domain, queue, random.nextInt() & 0x7FFF_FFFF, i != 1, arena);
            workloads.add(made);
            byNumber.put(made.queuePair().number(), made);
        }
    }

    String card() {
        return workloads.stream().map(QueuePairWorkload::card).collect(Collectors.joining(" "));
    }

    void connect(InetAddress peer, String card) {
        String[] cards = card.split(" ");
        for (int i = 0; i < cards.length; i++) {
            workloads.get(i).connect(peer, cards[i]);
        }
    }

    /// One step: may post, and always polls.
    void step() {
        workloads.get(random.nextInt(QUEUE_PAIRS)).postSomething();
        if (random.nextInt(200) == 0) {
            comeAndGo();
        }
        if (random.nextInt(8) == 0) {
            LockSupport.parkNanos(random.nextInt(200_000));
        }
        poll();
    }

    private void comeAndGo() {
        try (MemoryRegion region = domain.allocate(1 + random.nextInt(100_000), Access.LOCAL_WRITE);
                QueuePair _ = domain.createQueuePair(QueuePairOptions.rc(queue))) {
            BytePattern.fill(region.memory(), 0, Math.min(region.length(), 100), 1);
        }
    }

    private void poll() {
        queue.poll(completion -> byNumber.get(completion.qpNumber()).onCompletion(completion), BATCH);
    }

    boolean pollUntil(BooleanSupplier ready, Duration longest) {
        long start = NanoClock.SYSTEM.nowNs();
        while (!ready.getAsBoolean()) {
            poll();
            if (NanoClock.SYSTEM.nowNs() - start > longest.toNanos()) {
                return false;
            }
        }
        return true;
    }

    /// The peer is dead: each queue pair finds out by a request, and all requests end in time.
    void expectFailure(Duration longest) {
        if (!pollUntil(this::isOver, longest)) {
            throw new IllegalStateException("requests to a dead peer hang: " + workloads);
        }
        for (QueuePairWorkload workload : workloads) {
            CompletionStatus failure = workload.failure();
            if (failure != CompletionStatus.RETRY_EXCEEDED && failure != CompletionStatus.WORK_REQUEST_FLUSHED) {
                throw new IllegalStateException("a dead peer gives " + failure);
            }
        }
    }

    private boolean isOver() {
        boolean over = true;
        for (QueuePairWorkload workload : workloads) {
            over &= workload.failure() != null && workload.isIdle();
            if (workload.failure() == null && workload.isIdle()) {
                workload.send();
            }
        }
        return over;
    }

    /// Waits until all requests have ended, and throws when one failed.
    void finish(Duration longest) {
        workloads.forEach(QueuePairWorkload::stopPosting);
        if (!pollUntil(() -> workloads.stream().allMatch(QueuePairWorkload::isIdle), longest)) {
            throw new IllegalStateException("requests hang: " + workloads);
        }
        requireSound();
    }

    void requireSound() {
        for (QueuePairWorkload workload : workloads) {
            if (workload.failure() != null) {
                throw new IllegalStateException("a request failed: " + workload.failure());
            }
        }
    }

    long received() {
        return workloads.stream().mapToLong(QueuePairWorkload::received).sum();
    }

    void checkGuards() {
        workloads.forEach(QueuePairWorkload::checkGuards);
    }

    @Override
    public void close() {
        workloads.forEach(QueuePairWorkload::close);
        queue.close();
        domain.close();
        arena.close();
    }
}
