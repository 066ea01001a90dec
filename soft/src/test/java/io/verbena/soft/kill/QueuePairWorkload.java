package io.verbena.soft.kill;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.Random;

/// A random workload of one queue pair with its peer, which checks every byte received.
final class QueuePairWorkload {
    private static final int DEPTH = 4;
    private static final int MOST = 70_000;
    private static final int GUARD = 4096;
    private static final int PART = MOST + GUARD;
    /// Parts of the memory: what is sent, what is received, and four more.
    private static final int RECEIVES = DEPTH;

    private static final int TARGET = 2 * DEPTH;
    private static final int CONSTANT = TARGET + 1;
    private static final int LANDING = CONSTANT + 1;
    private static final int WORDS = LANDING + 1;
    private static final int PARTS = WORDS + 1;
    private static final long GUARD_SEED = 77;
    private static final long CONSTANT_SEED = 78;
    private static final int BACK = 16;

    private enum Kind {
        SEND,
        WRITE,
        READ,
        READ_BACK,
        ADD
    }

    private final Random random;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final QueuePair qp;
    private final MemoryRegion memory;
    /// The region of a message that is sent from temporary memory; null for others.
    private final MemoryRegion[] sources = new MemoryRegion[DEPTH];
    private final long seed;
    private long peerSeed;
    private long peerAddress;
    private int peerKey;
    private long sent;
    private long sentDone;
    private long received;
    private Kind other;
    private long otherSeed;
    private int otherBytes;
    private long writtenSeed = -1;
    private int writtenBytes;
    private long added;
    private CompletionStatus failure;
    private boolean quiet;

    /// @param shared whether the peer can reach the memory by itself
    QueuePairWorkload(ProtectionDomain domain, CompletionQueue queue, long seed, boolean shared, Arena arena) {
        this.domain = domain;
        this.queue = queue;
        this.seed = seed;
        this.random = new Random(seed);
        qp = domain.createQueuePair(QueuePairOptions.rc(queue).sendRequests(16).receiveRequests(16));
        Access[] rights = {Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC};
        long bytes = GUARD + (long) PARTS * PART;
        memory = shared ? domain.allocate(bytes, rights) : domain.register(arena.allocate(bytes, Long.BYTES), rights);
        for (int part = 0; part <= PARTS; part++) {
            BytePattern.fill(memory.memory(), (long) part * PART, GUARD, GUARD_SEED);
        }
        BytePattern.fill(memory.memory(), at(CONSTANT), MOST, CONSTANT_SEED);
    }

    private static long at(int part) {
        return GUARD + (long) part * PART;
    }

    QueuePair queuePair() {
        return qp;
    }

    /// The data that the peer needs to connect.
    String card() {
        return qp.number() + "," + memory.address() + "," + memory.rkey() + "," + seed;
    }

    void connect(InetAddress peer, String card) {
        String[] parts = card.split(",");
        peerAddress = Long.parseLong(parts[1]);
        peerKey = Integer.parseInt(parts[2]);
        peerSeed = Long.parseLong(parts[3]);
        qp.modify(QueuePairChange.toInit().access(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));
        for (int i = 0; i < DEPTH; i++) {
            receive(i);
        }
        qp.modify(QueuePairChange.toRtr(AddressVector.to(peer), Integer.parseInt(parts[0]), (int) peerSeed & 0xFFFFFF));
        qp.modify(QueuePairChange.toRts((int) seed & 0xFFFFFF).timeout(14));
    }

    private void receive(int slot) {
        qp.post(qp.newReceiveRequest().wrId(DEPTH + slot).into(memory, at(RECEIVES + slot), MOST));
    }

    private static long seedOf(long side, long number) {
        return BytePattern.mix(side * 31 + number);
    }

    /// Small, around the limits, or large.
    private static int bytesOf(long seed) {
        int dice = (int) (seed >>> 60 & 7);
        int size = (int) (seed >>> 20 & 0xFFFFF);
        return switch (dice) {
            case 0 -> size % 9;
            case 1, 2 -> size % 300;
            case 3 -> 2040 + size % 16;
            case 4 -> 16_376 + size % 16;
            case 5 -> size % 5000;
            default -> size % MOST;
        };
    }

    /// Posts something, perhaps.
    void postSomething() {
        if (failure != null || quiet) {
            return;
        }
        if (sent - sentDone < DEPTH && random.nextBoolean()) {
            send();
        }
        if (other == null && random.nextBoolean()) {
            doOther(Kind.values()[1 + random.nextInt(Kind.values().length - 1)]);
        }
    }

    /// From now on posts nothing new.
    void stopPosting() {
        quiet = true;
    }

    void send() {
        int slot = (int) (sent % DEPTH);
        long number = seedOf(seed, sent);
        int bytes = bytesOf(number);
        SendRequest request = qp.newSendRequest().wrId(slot).signaled().send();
        if (bytes > 0 && (number >>> 40 & 15) == 0) {
            sources[slot] = domain.allocate(bytes);
            BytePattern.fill(sources[slot].memory(), 0, bytes, number);
            request.from(sources[slot], 0, bytes);
        } else {
            BytePattern.fill(memory.memory(), at(slot), bytes, number);
            request.from(memory, at(slot), bytes);
        }
        post(request);
        sent++;
    }

    private void doOther(Kind kind) {
        SendRequest request = qp.newSendRequest().wrId(2 * DEPTH).signaled();
        otherSeed = seedOf(~seed, random.nextLong());
        otherBytes = bytesOf(otherSeed);
        switch (kind) {
            case WRITE -> {
                BytePattern.fill(memory.memory(), at(LANDING), otherBytes, otherSeed);
                request.write(peerAddress + at(TARGET), peerKey).from(memory, at(LANDING), otherBytes);
                writtenSeed = -1;
            }
            case READ -> request.read(peerAddress + at(CONSTANT), peerKey).into(memory, at(LANDING), otherBytes);
            case READ_BACK -> {
                if (writtenSeed == -1) {
                    return;
                }
                request.read(peerAddress + at(TARGET), peerKey).into(memory, at(LANDING), writtenBytes);
            }
            case ADD ->
                request.fetchAndAdd(peerAddress + at(WORDS), peerKey, 3).into(memory, at(WORDS) + BACK, Long.BYTES);
            case SEND -> throw new AssertionError();
        }
        other = kind;
        post(request);
    }

    private void post(SendRequest request) {
        if (!qp.post(request)) {
            throw new IllegalStateException("the send queue is full");
        }
    }

    void onCompletion(WorkCompletion completion) {
        int id = (int) completion.wrId();
        if (completion.status() != CompletionStatus.SUCCESS) {
            failure = failure == null ? completion.status() : failure;
        }
        boolean good = completion.status() == CompletionStatus.SUCCESS;
        if (id < DEPTH) {
            onSent(id);
        } else if (id < 2 * DEPTH) {
            if (good) {
                onReceived(id - DEPTH, completion.byteLength());
            }
        } else {
            if (good) {
                onOther();
            }
            other = null;
        }
    }

    private void onSent(int slot) {
        if (sentDone % DEPTH != slot) {
            throw new IllegalStateException("completions out of order");
        }
        sentDone++;
        if (sources[slot] != null) {
            sources[slot].close();
            sources[slot] = null;
        }
    }

    private void onReceived(int slot, long bytes) {
        long number = seedOf(peerSeed, received);
        if (received % DEPTH != slot || bytes != bytesOf(number)) {
            throw new IllegalStateException("message " + received + " has " + bytes + ", not " + bytesOf(number));
        }
        BytePattern.check("message " + received + " of " + bytes, memory.memory(), at(RECEIVES + slot), bytes, number);
        received++;
        receive(slot);
    }

    private void onOther() {
        switch (other) {
            case WRITE -> {
                writtenSeed = otherSeed;
                writtenBytes = otherBytes;
            }
            case READ -> BytePattern.check("READ", memory.memory(), at(LANDING), otherBytes, CONSTANT_SEED);
            case READ_BACK -> BytePattern.check("WRITE", memory.memory(), at(LANDING), writtenBytes, writtenSeed);
            case ADD -> {
                long before = memory.memory().get(ValueLayout.JAVA_LONG, at(WORDS) + BACK);
                if (before != added) {
                    throw new IllegalStateException("the sum is " + before + ", not " + added);
                }
                added += 3;
            }
            case SEND -> throw new AssertionError();
        }
    }

    boolean isIdle() {
        return sent == sentDone && other == null;
    }

    long received() {
        return received;
    }

    /// The status of the first failed request; null when none failed.
    CompletionStatus failure() {
        return failure;
    }

    /// Memory that the peer may not write is unchanged.
    void checkGuards() {
        for (int part = 0; part <= PARTS; part++) {
            BytePattern.check("guard " + part, memory.memory(), (long) part * PART, GUARD, GUARD_SEED);
        }
        BytePattern.check("constant", memory.memory(), at(CONSTANT), MOST, CONSTANT_SEED);
    }

    @Override
    public String toString() {
        return "QP 0x%x: %d of %d sent, %d received, %s under way, %s"
                .formatted(qp.number(), sentDone, sent, received, other, failure);
    }

    void close() {
        qp.close();
        memory.close();
        for (MemoryRegion source : sources) {
            if (source != null) {
                source.close();
            }
        }
    }
}
