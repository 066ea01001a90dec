package io.verbena.bench.soak;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Random;

/// A connection on which both sides SEND, WRITE, READ and use atomics at random, and check every byte. The bytes of a
/// WRITE are read back. Not thread-safe.
final class Traffic implements AutoCloseable {
    static final long NO_QUOTA = Long.MAX_VALUE;

    private static final int DEPTH = 4;
    private static final int LARGEST = 70_000;
    private static final int GUARD = 4096;
    private static final int PART = LARGEST + GUARD;
    /// Parts of the memory: for sends, for receives, and four more.
    private static final int RECEIVES = DEPTH;

    private static final int TARGET = 2 * DEPTH;
    private static final int CONSTANT = TARGET + 1;
    private static final int LANDING = CONSTANT + 1;
    private static final int WORDS = LANDING + 1;
    private static final int PARTS = WORDS + 1;
    private static final long GUARD_SEED = 77;
    private static final long CONSTANT_SEED = 78;
    /// Offset of the old value of an atomic, after the peer's word.
    private static final int OLD_VALUE = 16;

    private static final int BATCH = 16;
    private static final Duration SHORT = Duration.ofMillis(2);
    private static final Access[] RIGHTS = {
        Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC
    };

    private enum OneSided {
        WRITE,
        READ,
        READ_BACK,
        ADD,
        SWAP
    }

    private final ConnectionId id;
    private final PrivateData own;
    private final Random random;
    private final long quota;
    private final int wrongByteIn;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final Arena arena = Arena.ofShared();
    private final MemoryRegion memory;
    private final QueuePair qp;
    private final WorkCompletionHandler onCompletion = this::onCompletion;
    private PrivateData peer;
    private long sent;
    private long sentDone;
    private long received;
    private int receivesPosted;
    private long verified;
    private OneSided oneSided;
    private long oneSidedSeed;
    private int oneSidedBytes;
    private boolean unread;
    private long word;
    private CompletionStatus failure;
    private boolean quiet;

    /// @param token the purpose of the connection
    /// @param quota messages that each side sends; [#NO_QUOTA] for no limit
    /// @param wrongByteIn number of the message that gets a wrong byte, to test that it is noticed; 0 for none
    Traffic(ConnectionId id, ProtectionDomain domain, long token, int index, long seed, long quota, int wrongByteIn) {
        this.id = id;
        this.quota = quota;
        this.wrongByteIn = wrongByteIn;
        random = new Random(seed);
        // A third of the connections sleep when they are idle, and a third use memory that cannot be shared.
        channel = random.nextInt(3) == 0 ? id.context().createCompletionChannel() : null;
        queue = id.context().createCompletionQueue(64, channel);
        long bytes = GUARD + (long) PARTS * PART;
        memory = random.nextInt(3) == 0
                ? domain.register(arena.allocate(bytes, Long.BYTES), RIGHTS)
                : domain.allocate(bytes, RIGHTS);
        for (int part = 0; part <= PARTS; part++) {
            KnownBytes.fill(memory.memory(), (long) part * PART, GUARD, GUARD_SEED);
        }
        KnownBytes.fill(memory.memory(), at(CONSTANT), LARGEST, CONSTANT_SEED);
        memory.memory().set(ValueLayout.JAVA_LONG, at(WORDS), 0);
        own = PrivateData.of(token, index, seed, memory);
        qp = id.createQueuePair(
                domain, QueuePairOptions.rc(queue).sendRequests(16).receiveRequests(16));
        for (int slot = 0; slot < DEPTH; slot++) {
            postReceive(slot);
        }
    }

    private static long at(int part) {
        return GUARD + (long) part * PART;
    }

    ConnectionId id() {
        return id;
    }

    PrivateData privateData() {
        return own;
    }

    int number() {
        return qp.number();
    }

    /// Sets the peer's data; nothing can be posted before.
    void peer(PrivateData privateData) {
        peer = privateData;
    }

    private void postReceive(int slot) {
        if (!qp.post(qp.newReceiveRequest().wrId(DEPTH + slot).into(memory, at(RECEIVES + slot), LARGEST))) {
            throw new SoakFailure("the receive queue is full with " + receivesPosted + " receives: " + this);
        }
        receivesPosted++;
    }

    private static long seedOf(long side, long message) {
        return KnownBytes.mix(side * 31 + message);
    }

    /// A small size, one around the limits of packets and rings, or a large one.
    private static int bytesOf(long seed) {
        int dice = (int) (seed >>> 60 & 7);
        int size = (int) (seed >>> 20 & 0xFFFFF);
        return switch (dice) {
            case 0 -> size % 9;
            case 1, 2 -> size % 300;
            case 3 -> 2040 + size % 16;
            case 4 -> 16_376 + size % 16;
            case 5 -> size % 5000;
            default -> size % LARGEST;
        };
    }

    private static boolean hasImmediate(long seed) {
        return (seed >>> 45 & 3) == 0;
    }

    /// Posts a request at random, and polls.
    void step() {
        if (failure == null && !quiet && sent < quota) {
            if (sent - sentDone < DEPTH && random.nextBoolean()) {
                send();
            }
            if (oneSided == null && random.nextBoolean()) {
                postOneSided();
            }
        }
        if (poll() == 0) {
            idle();
        }
    }

    /// Posts no new requests from now on.
    void stopPosting() {
        quiet = true;
    }

    int poll() {
        return queue.poll(onCompletion, BATCH);
    }

    private void idle() {
        if (channel == null) {
            Thread.onSpinWait();
            return;
        }
        queue.arm();
        if (poll() == 0) {
            channel.await(SHORT);
        }
    }

    void send() {
        int slot = (int) (sent % DEPTH);
        long seed = seedOf(own.seed(), sent);
        int bytes = bytesOf(seed);
        KnownBytes.fill(memory.memory(), at(slot), bytes, seed);
        if (wrongByteIn != 0 && sent + 1 >= wrongByteIn && bytes > 0) {
            long last = at(slot) + bytes - 1;
            memory.memory()
                    .set(ValueLayout.JAVA_BYTE, last, (byte) ~memory.memory().get(ValueLayout.JAVA_BYTE, last));
        }
        SendRequest request = qp.newSendRequest().wrId(slot).signaled();
        post((hasImmediate(seed) ? request.sendWithImmediate((int) seed) : request.send())
                .from(memory, at(slot), bytes));
        sent++;
    }

    private void postOneSided() {
        OneSided next = unread ? OneSided.READ_BACK : OneSided.values()[random.nextInt(OneSided.values().length)];
        if (next == OneSided.READ_BACK && !unread) {
            return;
        }
        SendRequest request = qp.newSendRequest().wrId(2 * DEPTH).signaled();
        if (next != OneSided.READ_BACK) {
            oneSidedSeed = seedOf(~own.seed(), random.nextLong());
            oneSidedBytes = bytesOf(oneSidedSeed);
        }
        long words = peer.address() + at(WORDS);
        switch (next) {
            case WRITE -> {
                KnownBytes.fill(memory.memory(), at(LANDING), oneSidedBytes, oneSidedSeed);
                request.write(peer.address() + at(TARGET), peer.rkey()).from(memory, at(LANDING), oneSidedBytes);
            }
            case READ ->
                request.read(peer.address() + at(CONSTANT), peer.rkey()).into(memory, at(LANDING), oneSidedBytes);
            case READ_BACK -> {
                memory.memory().asSlice(at(LANDING), oneSidedBytes).fill((byte) 0);
                request.read(peer.address() + at(TARGET), peer.rkey()).into(memory, at(LANDING), oneSidedBytes);
            }
            case ADD -> request.fetchAndAdd(words, peer.rkey(), 3).into(memory, at(WORDS) + OLD_VALUE, Long.BYTES);
            case SWAP ->
                request.compareAndSwap(words, peer.rkey(), word, word + 5)
                        .into(memory, at(WORDS) + OLD_VALUE, Long.BYTES);
        }
        oneSided = next;
        post(request);
    }

    private void post(SendRequest request) {
        if (!qp.post(request)) {
            throw new SoakFailure("the send queue is full: " + this);
        }
    }

    private void onCompletion(WorkCompletion completion) {
        int slot = (int) completion.wrId();
        boolean good = completion.isSuccess();
        if (!good && failure == null) {
            failure = completion.status();
        }
        if (slot < DEPTH) {
            if (sentDone % DEPTH != slot) {
                throw new SoakFailure("SEND " + sentDone + " completes out of order: " + this);
            }
            sentDone++;
        } else if (slot < 2 * DEPTH) {
            receivesPosted--;
            if (good) {
                onReceived(slot - DEPTH, completion);
            }
        } else {
            if (good) {
                onOneSided();
            }
            oneSided = null;
        }
    }

    private void onReceived(int slot, WorkCompletion completion) {
        long seed = seedOf(peer.seed(), received);
        String what = "message " + received + " of QP 0x" + Integer.toHexString(number());
        if (received % DEPTH != slot || completion.byteLength() != bytesOf(seed)) {
            throw new SoakFailure("%s has %d bytes in slot %d, not %d in slot %d"
                    .formatted(what, completion.byteLength(), slot, bytesOf(seed), received % DEPTH));
        }
        if (completion.hasImmediate() != hasImmediate(seed)
                || completion.hasImmediate() && completion.immediate() != (int) seed) {
            throw new SoakFailure(what + " has wrong immediate data");
        }
        KnownBytes.check(what, memory.memory(), at(RECEIVES + slot), completion.byteLength(), seed);
        received++;
        verified++;
        postReceive(slot);
    }

    private void onOneSided() {
        String what = oneSided + " of QP 0x" + Integer.toHexString(number());
        switch (oneSided) {
            case WRITE -> {
                unread = true;
                return; // verified when it is read back
            }
            case READ -> KnownBytes.check(what, memory.memory(), at(LANDING), oneSidedBytes, CONSTANT_SEED);
            case READ_BACK -> {
                KnownBytes.check(what, memory.memory(), at(LANDING), oneSidedBytes, oneSidedSeed);
                unread = false;
                verified++; // the WRITE
            }
            case ADD, SWAP -> {
                long before = memory.memory().get(ValueLayout.JAVA_LONG, at(WORDS) + OLD_VALUE);
                if (before != word) {
                    throw new SoakFailure(what + ": the word was " + before + ", not " + word);
                }
                word += oneSided == OneSided.ADD ? 3 : 5;
            }
        }
        verified++;
    }

    /// Whether all requests of this side are complete.
    boolean isIdle() {
        return sent == sentDone && oneSided == null;
    }

    /// Whether this side has sent and received its quota.
    boolean isDone() {
        return isIdle() && sent >= quota && received >= quota;
    }

    boolean hasReceives() {
        return receivesPosted > 0;
    }

    long sent() {
        return sent;
    }

    long received() {
        return received;
    }

    long quota() {
        return quota;
    }

    long verified() {
        return verified;
    }

    /// The first status that was not a success; null when there was none.
    CompletionStatus failure() {
        return failure;
    }

    /// Checks that memory which the peer may not write is unchanged.
    void checkGuards() {
        for (int part = 0; part <= PARTS; part++) {
            KnownBytes.check("guard " + part, memory.memory(), (long) part * PART, GUARD, GUARD_SEED);
        }
        KnownBytes.check("memory that is only read", memory.memory(), at(CONSTANT), LARGEST, CONSTANT_SEED);
    }

    @Override
    public String toString() {
        return "QP 0x%x %s: %d of %d SENDs complete, %d received, %d receives posted, %s under way, %s"
                .formatted(
                        qp.number(),
                        qp.state(),
                        sentDone,
                        sent,
                        received,
                        receivesPosted,
                        oneSided == null ? "nothing else" : oneSided,
                        failure == null ? "no error" : failure);
    }

    @Override
    public void close() {
        id.close();
        memory.close();
        queue.close();
        if (channel != null) {
            channel.close();
        }
        arena.close();
    }
}
