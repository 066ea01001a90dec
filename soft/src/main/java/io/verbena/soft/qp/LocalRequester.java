package io.verbena.soft.qp;

import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.local.LaneLayout;
import io.verbena.soft.local.PeerLane;
import io.verbena.soft.local.RingWriter;
import io.verbena.soft.local.SharedRegion;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryAccess;
import io.verbena.soft.mem.MemoryKey;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;

/// Turns posted requests into entries of the peer's lane, or executes them by direct access. Guarded by the queue
/// pair's send lock. The [LocalCompleter] retires the requests.
final class LocalRequester {
    /// Requests without completion are retired in small batches after sending, so that no post has to retire many.
    private static final int RETIRE_EVERY = 16;

    /// From this length on a direct copy is worth waiting for.
    private static final int LEAST_HELD_BYTES = 32 << 10;

    private final LocalPath path;
    private final TransportService service;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final MemoryAccess memory;
    private final LocalResponder responder;
    private final DirectAccess direct;
    private final LocalCompleter completer;

    private PeerLane lane;
    private RingWriter ring;
    private boolean open;
    /// Whether new requests may start: RTS, sends not held back, lane attached, no failure.
    private boolean ready;

    /// The request to emit next, and how many of its bytes were emitted.
    private long current;

    private long offset;
    /// The offset in its region of the payload that [#sharedSource] found.
    private long sourceAt;

    private long sourceRegistration;
    /// The ring position up to which the peer had consumed entries at the last attempt to emit.
    private long triedAt;

    /// Whether a timer watches for a peer without progress, and whether an entry was sent that no timer watches.
    private boolean timed;

    private boolean untimed;
    private long messages;

    LocalRequester(LocalPath path, LocalResponder responder) {
        this.path = path;
        this.service = path.service;
        this.queue = service.sends;
        this.settings = service.settings;
        this.memory = service.access;
        this.responder = responder;
        this.direct = new DirectAccess(service);
        this.completer = new LocalCompleter(path, this, responder);
    }

    LocalCompleter completer() {
        return completer;
    }

    /// RTS: emits from the oldest request on.
    void start() {
        open = true;
        current = queue.head();
        offset = 0;
        timed = false;
        untimed = false;
        completer.start();
    }

    void attach(PeerLane to) {
        lane = to;
        ring = to.requests();
        direct.attach(to);
        completer.attach(to);
    }

    /// The state, the lane, or whether sends are held back has changed.
    void update() {
        ready = open && lane != null && service.state() == QueuePairState.RTS && !service.holdsSends();
        completer.update();
    }

    /// Nothing is emitted any more.
    void stop() {
        open = false;
        ready = false;
        lane = null;
        ring = null;
        direct.detach();
        completer.stop();
    }

    /// The request to emit next. Those before it were emitted.
    long current() {
        return current;
    }

    boolean isDrained() {
        return queue.head() == current && offset == 0;
    }

    long messages() {
        return messages;
    }

    /// [LocalDevice] has added the messages of this connection to those of ended ones.
    void forgetMessages() {
        messages = 0;
    }

    private boolean hasOutstanding() {
        return ring != null && ring.consumed() != ring.tail();
    }

    /// The timeout has changed.
    void forgetTimer() {
        timed = false;
    }

    /// Whether requests that no timer watches wait for the peer. If so, the caller arms a timer.
    boolean startsWaiting() {
        boolean starts = untimed || isWaiting();
        untimed = false;
        timed |= starts;
        return starts;
    }

    /// Whether requests still wait for the peer. If not, the next entry requests a timer again.
    boolean stillWaits() {
        completer.refresh();
        timed = isWaiting();
        return timed;
    }

    boolean isWaiting() {
        return hasOutstanding() || completer.lacksAnswers() || ring == null && current < queue.tail();
    }

    /// The position behind the newest entry.
    long tail() {
        return ring == null ? 0 : ring.tail();
    }

    /// Whether the peer has not executed all entries before that position.
    boolean isStuckAt(long position) {
        return ring == null || ring.consumed() < position || completer.hasReadsOut();
    }

    // ---- posting ----

    /// Takes a checked request. False when the path is stopped.
    boolean post(SoftSendRequest request) {
        if (!open) {
            return false;
        }
        boolean done = tryFastPath(request);
        if (!done) {
            queue.write(request);
            emit();
            if (ring == null) {
                path.wantEngine();
            }
        }
        completer.onPosted(request.flags(), !done);
        return true;
    }

    /// Executes or sends a request at once if no other waits before it. False when it must be queued.
    private boolean tryFastPath(SoftSendRequest request) {
        if (!ready || current != queue.next() || request.buffers.count() != 1) {
            return false;
        }
        return switch (request.operation()) {
            case SEND -> sendNow(request);
            case RDMA_WRITE, RDMA_READ -> copyNow(request);
            default -> false;
        };
    }

    private boolean sendNow(SoftSendRequest request) {
        long bytes = ScatterGather.length(request.buffers.lengthAndKey());
        boolean fenced = (request.flags() & SendQueue.FENCED) != 0 && completer.hasReadsOut();
        int length = (int) bytes;
        int cells = LaneLayout.cells(length);
        if (bytes > LocalEntry.REFERENCE_FROM || fenced || !hasRoom(cells)) {
            return false;
        }
        queue.prepare();
        long at = ring.claim(cells) + LaneLayout.HEADER_BYTES;
        if (!gather(request.buffers, request.isInline(), at, length)) {
            return false;
        }
        publish(cells, Operation.SEND, flags(request.flags()), length);
        queue.fillSent(request, bytes, ring.tail(), true);
        queue.publish();
        current++;
        if ((current & RETIRE_EVERY - 1) == 0) {
            completer.retireUnreported();
        }
        return true;
    }

    private boolean gather(SoftBufferList buffers, boolean inline, long at, int length) {
        if (inline) {
            buffers.copyFirst(ring.memory(), at, length);
            return true;
        }
        int lkey = ScatterGather.lkey(buffers.lengthAndKey());
        return length == 0 || memory.read(lkey, buffers.address(), MemoryKey.LOCAL_READ, ring.memory(), at, length);
    }

    private boolean copyNow(SoftSendRequest request) {
        boolean reported = service.completions.wants(request.flags());
        if (hasEntriesOut() || request.operation() == Operation.RDMA_READ && settings.maxReadAtomic == 0) {
            return false;
        }
        queue.prepare();
        if (!direct.copy(request)) {
            return false;
        }
        messages++;
        if (reported) {
            wakeWaiters();
            queue.fillSent(request, ScatterGather.length(request.buffers.lengthAndKey()), ring.tail(), false);
            queue.publish();
            current++;
        }
        return true;
    }

    private static int flags(int requestFlags) {
        return (requestFlags & SendQueue.SOLICITED) != 0 ? LaneLayout.SOLICITED : 0;
    }

    private boolean hasRoom(int cells) {
        if (ring.hasRoom(cells)) {
            return true;
        }
        completer.refresh();
        return ring.hasRoom(cells);
    }

    private boolean hasEntriesOut() {
        if (hasOutstanding()) {
            completer.refresh();
        }
        return hasOutstanding() || completer.hasReadsOut();
    }

    private void publish(int cells, Operation operation, int flags, int length) {
        long executed = responder.executed();
        ring.publish(cells, LaneLayout.form(operation.ordinal(), flags, length), (int) executed);
        responder.onPiggybacked(executed);
        lane.wakeResponder();
        messages++;
        if (!timed) {
            untimed = true;
            path.wantEngine();
        }
    }

    // ---- emitting what waits ----

    /// Emits queued requests, as many as there is room for.
    void emit() {
        while (ring != null && completer.isWell() && mayEmit() && emitOne()) {}
        triedAt = ring == null ? 0 : ring.consumed();
    }

    /// Whether the peer has consumed entries since the last attempt to emit.
    boolean hasNewRoom() {
        return mayEmit() && ring.consumed() != triedAt;
    }

    private boolean mayEmit() {
        return current < queue.tail() && (ready || offset > 0 && open);
    }

    private boolean emitOne() {
        Operation operation = queue.operation(current);
        if (KeyOperations.contains(operation)) {
            if (queue.head() == current) {
                path.wantEngine();
            }
            return false;
        }
        if (offset == 0 && !mayStart(operation)) {
            return false;
        }
        if (offset == 0 && direct.covers(operation)) {
            if (!hasEntriesOut()) {
                if (tryDirectAccess(operation)) {
                    return true;
                }
            } else if (isWorthWaiting()) {
                return false;
            }
        }
        return LocalEntry.hasPayload(operation) ? emitData(operation) : emitSingle(operation);
    }

    /// Whether a request should wait until the peer has executed those before it, so that it can be executed directly.
    /// In pieces through the ring, many bytes take far longer. Answers of READs are not waited for: what comes after
    /// them is emitted when the peer consumes entries.
    private boolean isWorthWaiting() {
        return hasOutstanding() && queue.length(current) >= LEAST_HELD_BYTES && direct.reaches(current);
    }

    private boolean mayStart(Operation operation) {
        if (queue.has(current, SendQueue.FENCED) && completer.hasReadsOut()
                || RcOpcodes.takesCredit(operation) && !completer.mayRead()) {
            return false;
        }
        long length = queue.length(current);
        if (length > RoceConstants.MAX_MESSAGE_BYTES) {
            return completer.fail(CompletionStatus.LOCAL_LENGTH_ERROR, current);
        }
        int rights = RcOpcodes.bringsData(operation) ? Access.LOCAL_WRITE.bit() : 0;
        return length == 0
                || queue.allows(memory, current, rights)
                || completer.fail(CompletionStatus.LOCAL_PROTECTION_ERROR, current);
    }

    private boolean tryDirectAccess(Operation operation) {
        CompletionStatus status = direct.execute(current, operation);
        if (status == null) {
            return false;
        }
        messages++;
        if (status != CompletionStatus.SUCCESS) {
            return completer.fail(status, current);
        }
        wakeWaiters();
        nextRequest(operation, false);
        return true;
    }

    /// After a direct access the peer wakes no thread, so waiting threads of this side are woken here.
    private void wakeWaiters() {
        if (service.qp.sendCq().isArmed()) {
            path.wantEngine();
        }
    }

    /// @param out whether the request went to the peer
    private void nextRequest(Operation operation, boolean out) {
        queue.end(current, ring.tail(), out);
        current++;
        offset = 0;
        if (out && RcOpcodes.takesCredit(operation)) {
            completer.onReadOut();
        }
    }

    /// Executes the oldest request if it is a key operation and all before it are complete. Returns whether it did. By
    /// the engine's owner.
    boolean executeKeyOperation(KeyOperations operations) {
        boolean due = ready
                && completer.isWell()
                && queue.head() == current
                && current < queue.tail()
                && KeyOperations.contains(queue.operation(current));
        if (!due || !operations.isHeadReady() || !operations.endHead()) {
            return false;
        }
        current = queue.head();
        completer.countReporting();
        return true;
    }

    private boolean emitData(Operation operation) {
        long length = queue.length(current);
        SharedRegion region = offset == 0 && length > LocalEntry.REFERENCE_FROM ? sharedSource(length) : null;
        int payload = (int) Math.min(length - offset, LocalEntry.PIECE_BYTES);
        boolean plain = operation == Operation.SEND && region == null && payload == length;
        int fixed = plain ? 0 : LocalEntry.FIXED_BYTES;
        int cells = LaneLayout.cells(fixed + (region != null ? LocalEntry.REFERENCE_BYTES : payload));
        if (!hasRoom(cells)) {
            return false;
        }
        long at = ring.claim(cells) + LaneLayout.HEADER_BYTES;
        int flags = flags(queue.flags(current));
        if (!plain) {
            LocalEntry.fixed(ring.memory(), at, queue, current, offset);
            LocalEntry.total(ring.memory(), at, length);
        }
        if (region != null) {
            LocalEntry.reference(ring.memory(), at + fixed, sourceRegistration, region.slot(), sourceAt);
            flags |= LaneLayout.REFERENCE;
            payload = (int) length;
        } else if (payload > 0 && !queue.gather(memory, current, offset, ring.memory(), at + fixed, payload)) {
            return completer.fail(CompletionStatus.LOCAL_PROTECTION_ERROR, current);
        }
        offset += payload & 0xFFFF_FFFFL;
        boolean last = offset == length;
        publish(cells, operation, last ? flags : flags | LaneLayout.MORE, payload);
        if (last) {
            nextRequest(operation, true);
        }
        return true;
    }

    /// The shared region that holds the whole payload, so that the peer can copy it; else null.
    private SharedRegion sharedSource(long length) {
        if (queue.has(current, SendQueue.INLINE) || queue.bufferCount(current) != 1) {
            return null;
        }
        long[] words = queue.words(current);
        int at = queue.buffersAt(current);
        MemoryKey key = memory.find(ScatterGather.lkey(words[at + 1]));
        if (key == null || key.check(service.qp, words[at], length, MemoryKey.LOCAL_READ) != AccessCheck.OK) {
            return null;
        }
        SharedRegion region = key.shared();
        sourceAt = words[at] - key.address();
        sourceRegistration = region == null ? 0 : region.registration();
        return sourceRegistration != 0 ? region : null;
    }

    /// READs, atomics and FLUSHes: one entry without payload.
    private boolean emitSingle(Operation operation) {
        int cells = LaneLayout.cells(LocalEntry.FIXED_BYTES);
        if (!hasRoom(cells)) {
            return false;
        }
        long at = ring.claim(cells) + LaneLayout.HEADER_BYTES;
        LocalEntry.fixed(ring.memory(), at, queue, current, 0);
        publish(cells, operation, 0, operation == Operation.RDMA_READ ? (int) queue.length(current) : 0);
        nextRequest(operation, true);
        return true;
    }
}
