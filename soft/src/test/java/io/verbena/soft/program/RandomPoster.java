package io.verbena.soft.program;

import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.FlushType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/// Posts random requests on a queue pair and does the same to the arrays. Where the outcome would depend on chance, it
/// fences or does something else: a READ may happen later than what is posted behind it, and buffers of requests in
/// flight belong to the device.
final class RandomPoster {
    private static final int MOST_OUTSTANDING = 8;
    private static final int MOST_UNSIGNALED = 3;

    private final ModelledQueuePair queuePair;
    private final Random random;
    private final int mtu;
    private final int limit;
    private final Set<StepKind> done = EnumSet.noneOf(StepKind.class);
    private int posted;
    private int unsignaled;
    private long fencedSince;

    RandomPoster(ModelledQueuePair queuePair, Random random, int mtu, int limit) {
        this.queuePair = queuePair;
        this.random = random;
        this.mtu = mtu;
        this.limit = limit;
    }

    boolean isDone() {
        return posted == limit;
    }

    /// The kinds of requests that were posted.
    Set<StepKind> kinds() {
        return done;
    }

    void step() {
        // When no request is in flight, one must be posted: otherwise nothing ever happens again.
        boolean idle = queuePair.outstanding.isEmpty();
        while (!isDone() && queuePair.outstanding.size() < MOST_OUTSTANDING && (idle || random.nextInt(4) > 0)) {
            post();
            idle = false;
        }
    }

    private void post() {
        StepKind kind = choose();
        post(kind);
        posted++;
        done.add(kind);
    }

    private StepKind choose() {
        StepKind kind = StepKind.values()[random.nextInt(StepKind.values().length)];
        boolean possible = switch (kind) {
            case SEND_WITH_INVALIDATE ->
                queuePair.peer.window.state == ModelledWindow.State.BOUND && queuePair.peer.window.users == 0;
            case BIND_WINDOW -> queuePair.window.state == ModelledWindow.State.FREE;
            case LOCAL_INVALIDATE ->
                queuePair.window.state == ModelledWindow.State.BOUND && queuePair.window.users == 0;
            default -> true;
        };
        return possible ? kind : StepKind.WRITE;
    }

    private void post(StepKind kind) {
        SendRequest request = queuePair.qp.newSendRequest().wrId(posted);
        PendingRequest posting = switch (kind) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> send(kind, request);
            case WRITE, WRITE_WITH_IMMEDIATE, ATOMIC_WRITE -> write(kind, request);
            case READ -> read(request);
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> atomic(kind, request);
            case TICKET -> ticket(request);
            case FLUSH -> flush(request);
            case BIND_WINDOW, LOCAL_INVALIDATE -> window(kind, request);
        };
        queuePair.outstanding.add(posting);
    }

    /// Fences where needed, sometimes where not, and posts; nothing of the model changes when that fails.
    private PendingRequest submit(SendRequest request, PendingRequest about, ByteRange writtenThere) {
        boolean hazard = queuePair.outstanding.stream()
                .filter(earlier -> earlier.wrId() >= fencedSince)
                .anyMatch(earlier -> earlier.landing().overlaps(about.source())
                        || earlier.readThere().overlaps(writtenThere));
        boolean fenced = hazard || random.nextInt(10) == 0;
        boolean mayBeSilent = !about.kind().brings()
                && EnumSet.complementOf(EnumSet.of(StepKind.TICKET, StepKind.BIND_WINDOW, StepKind.LOCAL_INVALIDATE))
                        .contains(about.kind());
        boolean silent = mayBeSilent && unsignaled < MOST_UNSIGNALED && posted < limit - 1 && random.nextInt(4) == 0;
        queuePair.host.environment.onPosting();
        if (!queuePair.qp.post(request.fenced(fenced).signaled(!silent).solicited(random.nextBoolean()))) {
            throw new AssertionError("the send queue is full with " + queuePair.outstanding.size() + " requests");
        }
        unsignaled = silent ? unsignaled + 1 : 0;
        fencedSince = fenced ? about.wrId() : fencedSince;
        queuePair.host.environment.onPosting();
        return about;
    }

    // ---- operations ----

    private PendingRequest send(StepKind kind, SendRequest request) {
        ByteRange source = source(length(ModelledQueuePair.SLOT_BYTES));
        byte[] bytes = nearBytes(source);
        int immediate = random.nextInt();
        int key = kind == StepKind.SEND_WITH_INVALIDATE ? queuePair.peer.window.window.rkey() : 0;
        switch (kind) {
            case SEND -> request.send();
            case SEND_WITH_IMMEDIATE -> request.sendWithImmediate(immediate);
            default -> request.sendWithInvalidate(key);
        }
        from(request, source, true);
        PendingRequest posting =
                submit(request, about(kind, source, ByteRange.NONE, ByteRange.NONE, false), ByteRange.NONE);
        queuePair.peer.expected.add(
                new ExpectedMessage(bytes, bytes.length, kind == StepKind.SEND_WITH_IMMEDIATE, immediate, key));
        if (key != 0) {
            queuePair.peer.window.state = ModelledWindow.State.REVOKING;
        }
        return posting;
    }

    private PendingRequest write(StepKind kind, SendRequest request) {
        boolean word = kind == StepKind.ATOMIC_WRITE;
        ByteRange source = source(word ? Long.BYTES : length(ModelledQueuePair.AREA));
        ByteRange target = word ? word() : place(0, source.length());
        byte[] bytes = nearBytes(source);
        boolean through = throughWindow(target);
        long address = queuePair.peer.open.address() + target.from();
        int key = key(through);
        switch (kind) {
            case WRITE -> request.write(address, key);
            case WRITE_WITH_IMMEDIATE -> request.writeWithImmediate(address, key, posted);
            default -> request.atomicWrite(address, key);
        }
        from(request, source, !word);
        PendingRequest posting = submit(request, about(kind, source, ByteRange.NONE, ByteRange.NONE, through), target);
        use(through);
        noteIfDone(kind, queuePair.peer.open, queuePair.peer.openModel, target, bytes);
        System.arraycopy(bytes, 0, queuePair.peer.openModel, target.from(), bytes.length);
        if (kind == StepKind.WRITE_WITH_IMMEDIATE) {
            queuePair.peer.expected.add(new ExpectedMessage(null, bytes.length, true, posted, 0));
        }
        return posting;
    }

    private PendingRequest read(SendRequest request) {
        ByteRange landing = landing(length(ModelledQueuePair.AREA));
        ByteRange there = place(0, landing.length());
        boolean through = throughWindow(there);
        request.read(queuePair.peer.open.address() + there.from(), key(through));
        from(request, landing, false);
        PendingRequest posting =
                submit(request, about(StepKind.READ, ByteRange.NONE, landing, there, through), ByteRange.NONE);
        use(through);
        byte[] brought = Arrays.copyOfRange(queuePair.peer.openModel, there.from(), there.from() + there.length());
        noteIfDone(StepKind.READ, queuePair.near, queuePair.nearModel, landing, brought);
        System.arraycopy(queuePair.peer.openModel, there.from(), queuePair.nearModel, landing.from(), landing.length());
        return posting;
    }

    private PendingRequest atomic(StepKind kind, SendRequest request) {
        ByteRange landing = landing(Long.BYTES);
        ByteRange there = word();
        boolean through = throughWindow(there);
        ByteBuffer words = ByteBuffer.wrap(queuePair.peer.openModel).order(ByteOrder.nativeOrder());
        long before = words.getLong(there.from());
        long compare = random.nextBoolean() ? before : random.nextLong();
        long operand = random.nextLong();
        long address = queuePair.peer.open.address() + there.from();
        if (kind == StepKind.COMPARE_AND_SWAP) {
            request.compareAndSwap(address, key(through), compare, operand);
        } else {
            request.fetchAndAdd(address, key(through), operand);
        }
        request.into(queuePair.near.region(), landing.from(), Long.BYTES);
        PendingRequest posting = submit(request, about(kind, ByteRange.NONE, landing, ByteRange.NONE, through), there);
        use(through);
        byte[] brought = Arrays.copyOfRange(queuePair.peer.openModel, there.from(), there.from() + Long.BYTES);
        noteIfDone(kind, queuePair.near, queuePair.nearModel, landing, brought);
        ByteBuffer.wrap(queuePair.nearModel).order(ByteOrder.nativeOrder()).putLong(landing.from(), before);
        if (kind == StepKind.FETCH_AND_ADD) {
            words.putLong(there.from(), before + operand);
        } else if (compare == before) {
            words.putLong(there.from(), operand);
        }
        return posting;
    }

    private PendingRequest ticket(SendRequest request) {
        MemoryRegion counter = queuePair.peer.host.tickets.region();
        request.fetchAndAdd(counter.address(), counter.rkey(), 1)
                .into(queuePair.stubs.region(), (long) posted % ModelledQueuePair.STUBS * Long.BYTES, Long.BYTES);
        return submit(
                request, about(StepKind.TICKET, ByteRange.NONE, ByteRange.NONE, ByteRange.NONE, false), ByteRange.NONE);
    }

    private PendingRequest flush(SendRequest request) {
        ByteRange there = place(0, length(ModelledQueuePair.AREA));
        request.flush(
                queuePair.peer.open.address() + there.from(),
                queuePair.peer.open.rkey(),
                there.length(),
                FlushType.GLOBAL_VISIBILITY);
        return submit(
                request, about(StepKind.FLUSH, ByteRange.NONE, ByteRange.NONE, ByteRange.NONE, false), ByteRange.NONE);
    }

    private PendingRequest window(StepKind kind, SendRequest request) {
        ModelledWindow window = queuePair.window;
        PendingRequest about = about(kind, ByteRange.NONE, ByteRange.NONE, ByteRange.NONE, false);
        if (kind == StepKind.LOCAL_INVALIDATE) {
            submit(request.localInvalidate(window.window.rkey()), about, ByteRange.NONE);
            window.state = ModelledWindow.State.REVOKING;
            return about;
        }
        ByteRange part = place(0, 1 + random.nextInt(ModelledQueuePair.AREA));
        request.bindMemoryWindow(
                window.window,
                window.nextKey(),
                queuePair.open.region(),
                queuePair.open.address() + part.from(),
                part.length(),
                Access.REMOTE_READ,
                Access.REMOTE_WRITE,
                Access.REMOTE_ATOMIC);
        submit(request, about, ByteRange.NONE);
        window.state = ModelledWindow.State.BINDING;
        window.from = part.from();
        window.length = part.length();
        return about;
    }

    // ---- choices ----

    private PendingRequest about(
            StepKind kind, ByteRange source, ByteRange landing, ByteRange readThere, boolean through) {
        return new PendingRequest(posted, kind, source, landing, readThere, through);
    }

    /// Sizes around every boundary.
    private int length(int most) {
        int length = switch (random.nextInt(6)) {
            case 0 -> random.nextInt(3);
            case 1 -> mtu + random.nextInt(-1, 2);
            case 2 -> mtu * random.nextInt(1, 5) + random.nextInt(-1, 2);
            case 3 -> random.nextInt(most + 1);
            default -> random.nextInt(2 * mtu);
        };
        return Math.clamp(length, 0, most);
    }

    private ByteRange place(int base, int length) {
        return new ByteRange(base + random.nextInt(ModelledQueuePair.AREA - length + 1), length);
    }

    /// Eight bytes whose address is a multiple of eight.
    private ByteRange word() {
        int misaligned = (int) (-queuePair.peer.open.address() & 7);
        return new ByteRange(misaligned + 8 * random.nextInt((ModelledQueuePair.AREA - 16) / 8), Long.BYTES);
    }

    /// Mostly of what was there from the start, now and then of what was brought.
    private ByteRange source(int length) {
        return place(
                length < ModelledQueuePair.AREA / 16 && random.nextInt(4) == 0 ? ModelledQueuePair.AREA : 0, length);
    }

    /// Where no request takes its bytes from; shorter when there is no room.
    private ByteRange landing(int length) {
        int wanted = length;
        for (int attempt = 1; attempt < 1000; attempt++) {
            ByteRange range = place(ModelledQueuePair.AREA, wanted);
            if (queuePair.outstanding.stream().noneMatch(other -> other.source().overlaps(range))) {
                return range;
            }
            wanted = attempt % 10 == 0 ? Math.max(Long.BYTES, wanted / 2) : wanted;
        }
        throw new AssertionError("no room for " + length + " bytes to land");
    }

    /// The peer has done nothing since the request was posted: if its effect is there, it did not take the peer.
    private void noteIfDone(StepKind kind, GuardedMemory memory, byte[] model, ByteRange at, byte[] after) {
        byte[] before = Arrays.copyOfRange(model, at.from(), at.from() + at.length());
        if (!Arrays.equals(before, after) && Arrays.equals(after, memory.bytes(at.from(), at.length()))) {
            queuePair.host.environment.note("direct " + kind);
        }
    }

    private boolean throughWindow(ByteRange range) {
        return queuePair.peer.window.covers(range.from(), range.length()) && random.nextInt(3) > 0;
    }

    private int key(boolean throughWindow) {
        return throughWindow ? queuePair.peer.window.window.rkey() : queuePair.peer.open.rkey();
    }

    private void use(boolean throughWindow) {
        if (throughWindow) {
            queuePair.peer.window.users++;
        }
    }

    private byte[] nearBytes(ByteRange range) {
        return Arrays.copyOfRange(queuePair.nearModel, range.from(), range.from() + range.length());
    }

    /// In one piece or several, and small ones sometimes inside the request.
    private void from(SendRequest request, ByteRange range, boolean mayBeInline) {
        MemoryRegion region = queuePair.near.region();
        int first = random.nextInt(range.length() + 1);
        int second = random.nextInt(range.length() - first + 1);
        switch (random.nextInt(3)) {
            case 0 -> request.from(region, range.from(), range.length());
            case 1 ->
                request.from(region, range.from(), first).and(region, range.from() + first, range.length() - first);
            default ->
                request.from(region, range.from(), first)
                        .and(region, range.from() + first, second)
                        .and(region, range.from() + first + second, range.length() - first - second);
        }
        boolean copied =
                mayBeInline && range.length() <= 64 && range.from() < ModelledQueuePair.AREA && random.nextBoolean();
        request.inline(copied);
    }
}
