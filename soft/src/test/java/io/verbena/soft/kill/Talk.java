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

/// Several conversations of one device with one peer, driven by one thread; and, beside them, regions and queue pairs
/// that come and go.
final class Talk implements AutoCloseable {
    private static final int CONVERSATIONS = 4;
    private static final int BATCH = 16;

    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final Arena arena = Arena.ofShared();
    private final Random random;
    private final List<Conversation> conversations = new ArrayList<>();
    private final Map<Integer, Conversation> byNumber = new HashMap<>();

    Talk(Context context, long seed) {
        random = new Random(seed);
        domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(1024, null);
        for (int i = 0; i < CONVERSATIONS; i++) {
            Conversation made = new Conversation(domain, queue, random.nextInt() & 0x7FFF_FFFF, i != 1, arena);
            conversations.add(made);
            byNumber.put(made.queuePair().number(), made);
        }
    }

    String card() {
        return conversations.stream().map(Conversation::card).collect(Collectors.joining(" "));
    }

    void connect(InetAddress peer, String card) {
        String[] cards = card.split(" ");
        for (int i = 0; i < cards.length; i++) {
            conversations.get(i).connect(peer, cards[i]);
        }
    }

    /// One turn: perhaps posts, polls always.
    void turn() {
        conversations.get(random.nextInt(CONVERSATIONS)).speak();
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
            Pattern.fill(region.memory(), 0, Math.min(region.length(), 100), 1);
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

    /// The peer is dead: each conversation finds out by a request, which all end in time.
    void expectTheEnd(Duration longest) {
        if (!pollUntil(this::isOver, longest)) {
            throw new IllegalStateException("requests to a dead peer hang: " + conversations);
        }
        for (Conversation conversation : conversations) {
            CompletionStatus failure = conversation.failure();
            if (failure != CompletionStatus.RETRY_EXCEEDED && failure != CompletionStatus.WORK_REQUEST_FLUSHED) {
                throw new IllegalStateException("a dead peer gives " + failure);
            }
        }
    }

    private boolean isOver() {
        boolean over = true;
        for (Conversation conversation : conversations) {
            over &= conversation.failure() != null && conversation.isIdle();
            if (conversation.failure() == null && conversation.isIdle()) {
                conversation.send();
            }
        }
        return over;
    }

    /// Lets what is under way come to its end, and fails when something went wrong.
    void finish(Duration longest) {
        conversations.forEach(Conversation::hush);
        if (!pollUntil(() -> conversations.stream().allMatch(Conversation::isIdle), longest)) {
            throw new IllegalStateException("requests hang: " + conversations);
        }
        requireSound();
    }

    void requireSound() {
        for (Conversation conversation : conversations) {
            if (conversation.failure() != null) {
                throw new IllegalStateException("a request failed: " + conversation.failure());
            }
        }
    }

    boolean hasFailed() {
        return conversations.stream().anyMatch(c -> c.failure() != null);
    }

    long received() {
        return conversations.stream().mapToLong(Conversation::received).sum();
    }

    void checkGuards() {
        conversations.forEach(Conversation::checkGuards);
    }

    @Override
    public void close() {
        conversations.forEach(Conversation::close);
        queue.close();
        domain.close();
        arena.close();
    }
}
