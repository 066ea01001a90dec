package io.verbena.soft.program;

import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.FlushType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/// Posts random requests on a lane and does the same to the arrays. Where the outcome would depend on chance,
/// it fences or does something else: a READ may happen later than what is posted behind it, and bytes under way
/// belong to the device.
final class Poster {
    private static final int MOST_OUTSTANDING = 8;
    private static final int MOST_UNSIGNALED = 3;

    private final Lane lane;
    private final Random random;
    private final int mtu;
    private final int limit;
    private final Set<Kind> kinds = EnumSet.allOf(Kind.class);
    private int posted;
    private int unsignaled;
    private long fencedSince;

    Poster(Lane lane, Random random, int mtu, int limit) {
        this.lane = lane;
        this.random = random;
        this.mtu = mtu;
        this.limit = limit;
    }

    boolean isDone() {
        return posted == limit;
    }

    /// What the device turned out not to have.
    Set<Kind> missing() {
        return EnumSet.complementOf(EnumSet.copyOf(kinds));
    }

    void step() {
        // With nothing out there must be a next one: else nothing ever happens again.
        boolean idle = lane.outstanding.isEmpty();
        while (!isDone() && lane.outstanding.size() < MOST_OUTSTANDING && (idle || random.nextInt(4) > 0)) {
            post();
            idle = false;
        }
    }

    private void post() {
        Kind kind = choose();
        try {
            post(kind);
            posted++;
        } catch (UnsupportedVerbException notYet) {
            kinds.remove(kind);
        }
    }

    private Kind choose() {
        Kind[] all = kinds.toArray(Kind[]::new);
        Kind kind = all[random.nextInt(all.length)];
        boolean possible = switch (kind) {
            case SEND_WITH_INVALIDATE -> lane.peer.window.state == Window.State.BOUND && lane.peer.window.users == 0;
            case BIND_WINDOW -> lane.window.state == Window.State.FREE;
            case LOCAL_INVALIDATE -> lane.window.state == Window.State.BOUND && lane.window.users == 0;
            default -> true;
        };
        return possible ? kind : Kind.WRITE;
    }

    private void post(Kind kind) {
        SendRequest request = lane.qp.newSendRequest().wrId(posted);
        Request posting = switch (kind) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> send(kind, request);
            case WRITE, WRITE_WITH_IMMEDIATE, ATOMIC_WRITE -> write(kind, request);
            case READ -> read(request);
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> atomic(kind, request);
            case TICKET -> ticket(request);
            case FLUSH -> flush(request);
            case BIND_WINDOW, LOCAL_INVALIDATE -> window(kind, request);
        };
        lane.outstanding.add(posting);
    }

    /// Fences where needed, sometimes where not, and posts; nothing of the model changes when that fails.
    private Request submit(SendRequest request, Request about, Range writtenThere) {
        boolean hazard = lane.outstanding.stream()
                .filter(earlier -> earlier.wrId() >= fencedSince)
                .anyMatch(earlier -> earlier.landing().overlaps(about.source())
                        || earlier.readThere().overlaps(writtenThere));
        boolean fenced = hazard || random.nextInt(10) == 0;
        boolean mayBeSilent = !about.kind().brings()
                && EnumSet.complementOf(EnumSet.of(Kind.TICKET, Kind.BIND_WINDOW, Kind.LOCAL_INVALIDATE))
                        .contains(about.kind());
        boolean silent = mayBeSilent && unsignaled < MOST_UNSIGNALED && posted < limit - 1 && random.nextInt(4) == 0;
        lane.host.world.onPosting();
        if (!lane.qp.post(request.fenced(fenced).signaled(!silent).solicited(random.nextBoolean()))) {
            throw new AssertionError("the send queue is full with " + lane.outstanding.size() + " requests");
        }
        unsignaled = silent ? unsignaled + 1 : 0;
        fencedSince = fenced ? about.wrId() : fencedSince;
        lane.host.world.onPosting();
        return about;
    }

    // ---- operations ----

    private Request send(Kind kind, SendRequest request) {
        Range source = source(length(Lane.SLOT_BYTES));
        byte[] bytes = nearBytes(source);
        int immediate = random.nextInt();
        int key = kind == Kind.SEND_WITH_INVALIDATE ? lane.peer.window.window.rkey() : 0;
        switch (kind) {
            case SEND -> request.send();
            case SEND_WITH_IMMEDIATE -> request.sendWithImmediate(immediate);
            default -> request.sendWithInvalidate(key);
        }
        from(request, source, true);
        Request posting = submit(request, about(kind, source, Range.NONE, Range.NONE, false), Range.NONE);
        lane.peer.expected.add(new Message(bytes, bytes.length, kind == Kind.SEND_WITH_IMMEDIATE, immediate, key));
        if (key != 0) {
            lane.peer.window.state = Window.State.REVOKING;
        }
        return posting;
    }

    private Request write(Kind kind, SendRequest request) {
        boolean word = kind == Kind.ATOMIC_WRITE;
        Range source = source(word ? Long.BYTES : length(Lane.AREA));
        Range target = word ? word() : place(0, source.length());
        byte[] bytes = nearBytes(source);
        boolean through = throughWindow(target);
        long address = lane.peer.open.address() + target.from();
        int key = key(through);
        switch (kind) {
            case WRITE -> request.write(address, key);
            case WRITE_WITH_IMMEDIATE -> request.writeWithImmediate(address, key, posted);
            default -> request.atomicWrite(address, key);
        }
        from(request, source, !word);
        Request posting = submit(request, about(kind, source, Range.NONE, Range.NONE, through), target);
        use(through);
        noteIfDone(kind, lane.peer.open, lane.peer.openModel, target, bytes);
        System.arraycopy(bytes, 0, lane.peer.openModel, target.from(), bytes.length);
        if (kind == Kind.WRITE_WITH_IMMEDIATE) {
            lane.peer.expected.add(new Message(null, bytes.length, true, posted, 0));
        }
        return posting;
    }

    private Request read(SendRequest request) {
        Range landing = landing(length(Lane.AREA));
        Range there = place(0, landing.length());
        boolean through = throughWindow(there);
        request.read(lane.peer.open.address() + there.from(), key(through));
        from(request, landing, false);
        Request posting = submit(request, about(Kind.READ, Range.NONE, landing, there, through), Range.NONE);
        use(through);
        byte[] brought = Arrays.copyOfRange(lane.peer.openModel, there.from(), there.from() + there.length());
        noteIfDone(Kind.READ, lane.near, lane.nearModel, landing, brought);
        System.arraycopy(lane.peer.openModel, there.from(), lane.nearModel, landing.from(), landing.length());
        return posting;
    }

    private Request atomic(Kind kind, SendRequest request) {
        Range landing = landing(Long.BYTES);
        Range there = word();
        boolean through = throughWindow(there);
        ByteBuffer words = ByteBuffer.wrap(lane.peer.openModel).order(ByteOrder.nativeOrder());
        long before = words.getLong(there.from());
        long compare = random.nextBoolean() ? before : random.nextLong();
        long operand = random.nextLong();
        long address = lane.peer.open.address() + there.from();
        if (kind == Kind.COMPARE_AND_SWAP) {
            request.compareAndSwap(address, key(through), compare, operand);
        } else {
            request.fetchAndAdd(address, key(through), operand);
        }
        request.into(lane.near.region(), landing.from(), Long.BYTES);
        Request posting = submit(request, about(kind, Range.NONE, landing, Range.NONE, through), there);
        use(through);
        byte[] brought = Arrays.copyOfRange(lane.peer.openModel, there.from(), there.from() + Long.BYTES);
        noteIfDone(kind, lane.near, lane.nearModel, landing, brought);
        ByteBuffer.wrap(lane.nearModel).order(ByteOrder.nativeOrder()).putLong(landing.from(), before);
        if (kind == Kind.FETCH_AND_ADD) {
            words.putLong(there.from(), before + operand);
        } else if (compare == before) {
            words.putLong(there.from(), operand);
        }
        return posting;
    }

    private Request ticket(SendRequest request) {
        MemoryRegion counter = lane.peer.host.tickets.region();
        request.fetchAndAdd(counter.address(), counter.rkey(), 1)
                .into(lane.stubs.region(), (long) posted % Lane.STUBS * Long.BYTES, Long.BYTES);
        return submit(request, about(Kind.TICKET, Range.NONE, Range.NONE, Range.NONE, false), Range.NONE);
    }

    private Request flush(SendRequest request) {
        Range there = place(0, length(Lane.AREA));
        request.flush(
                lane.peer.open.address() + there.from(),
                lane.peer.open.rkey(),
                there.length(),
                FlushType.GLOBAL_VISIBILITY);
        return submit(request, about(Kind.FLUSH, Range.NONE, Range.NONE, Range.NONE, false), Range.NONE);
    }

    private Request window(Kind kind, SendRequest request) {
        Window window = lane.window;
        Request about = about(kind, Range.NONE, Range.NONE, Range.NONE, false);
        if (kind == Kind.LOCAL_INVALIDATE) {
            submit(request.localInvalidate(window.window.rkey()), about, Range.NONE);
            window.state = Window.State.REVOKING;
            return about;
        }
        Range part = place(0, 1 + random.nextInt(Lane.AREA));
        request.bindMemoryWindow(
                window.window,
                window.nextKey(),
                lane.open.region(),
                lane.open.address() + part.from(),
                part.length(),
                Access.REMOTE_READ,
                Access.REMOTE_WRITE,
                Access.REMOTE_ATOMIC);
        submit(request, about, Range.NONE);
        window.state = Window.State.BINDING;
        window.from = part.from();
        window.length = part.length();
        return about;
    }

    // ---- choices ----

    private Request about(Kind kind, Range source, Range landing, Range readThere, boolean through) {
        return new Request(posted, kind, source, landing, readThere, through);
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

    private Range place(int base, int length) {
        return new Range(base + random.nextInt(Lane.AREA - length + 1), length);
    }

    /// Eight bytes whose address is a multiple of eight.
    private Range word() {
        int misaligned = (int) (-lane.peer.open.address() & 7);
        return new Range(misaligned + 8 * random.nextInt((Lane.AREA - 16) / 8), Long.BYTES);
    }

    /// Mostly of what was there from the start, now and then of what was brought.
    private Range source(int length) {
        return place(length < Lane.AREA / 16 && random.nextInt(4) == 0 ? Lane.AREA : 0, length);
    }

    /// Where no request takes its bytes from; shorter when there is no room.
    private Range landing(int length) {
        int wanted = length;
        for (int attempt = 1; attempt < 1000; attempt++) {
            Range range = place(Lane.AREA, wanted);
            if (lane.outstanding.stream().noneMatch(other -> other.source().overlaps(range))) {
                return range;
            }
            wanted = attempt % 10 == 0 ? Math.max(Long.BYTES, wanted / 2) : wanted;
        }
        throw new AssertionError("no room for " + length + " bytes to land");
    }

    /// The peer has done nothing since the request was posted: if its effect is there, it did not take the peer.
    private void noteIfDone(Kind kind, GuardedMemory memory, byte[] model, Range at, byte[] after) {
        byte[] before = Arrays.copyOfRange(model, at.from(), at.from() + at.length());
        if (!Arrays.equals(before, after) && Arrays.equals(after, memory.bytes(at.from(), at.length()))) {
            lane.host.world.note("direct " + kind);
        }
    }

    private boolean throughWindow(Range range) {
        return lane.peer.window.covers(range.from(), range.length()) && random.nextInt(3) > 0;
    }

    private int key(boolean throughWindow) {
        return throughWindow ? lane.peer.window.window.rkey() : lane.peer.open.rkey();
    }

    private void use(boolean throughWindow) {
        if (throughWindow) {
            lane.peer.window.users++;
        }
    }

    private byte[] nearBytes(Range range) {
        return Arrays.copyOfRange(lane.nearModel, range.from(), range.from() + range.length());
    }

    /// In one piece or several, and small ones sometimes inside the request.
    private void from(SendRequest request, Range range, boolean mayBeInline) {
        MemoryRegion region = lane.near.region();
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
        boolean copied = mayBeInline && range.length() <= 64 && range.from() < Lane.AREA && random.nextBoolean();
        request.inline(copied);
    }
}
