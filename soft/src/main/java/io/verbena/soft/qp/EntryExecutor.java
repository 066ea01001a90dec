package io.verbena.soft.qp;

import io.verbena.roce.header.Feth;
import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.cq.CompletionView;
import io.verbena.soft.local.LaneLayout;
import io.verbena.soft.local.LanePair;
import io.verbena.soft.local.PeerLane;
import io.verbena.soft.local.PeerRegion;
import io.verbena.soft.local.RingReader;
import io.verbena.soft.local.RingWriter;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryAccess;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.RemoteWords;
import io.verbena.soft.os.HostMemory;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.spi.SendRequestFields;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Executes one entry of a request ring on this side's memory, with the checks of the specification in their order. The
/// peer is not trusted. Guarded by the responder's lock.
final class EntryExecutor {
    private static final Operation[] OPERATIONS = Operation.values();
    /// The header of a SEND that is wholly in the ring, and the bits that may differ.
    private static final long PLAIN_SEND = LaneLayout.form(Operation.SEND.ordinal(), 0, 0);

    private static final long PLAIN_BITS = LaneLayout.form(0, LaneLayout.SOLICITED, -1);

    /// A peer that closes its region waits for the piece that is being copied, so pieces are small.
    private static final int COPY_BYTES = 1 << 20;

    /// The most bytes copied in one turn. A turn blocks the polling thread or the engine, so it takes a millisecond or
    /// less.
    private static final long TURN_BYTES = 4L * COPY_BYTES;

    private final TransportService service;
    private final MemoryTable memory;
    private final MemoryAccess access;
    private final CurrentReceive receive;
    private final QueuePairSettings settings;
    private final RemoteOperations operations;
    private final RemoteRequest request = new RemoteRequest();
    private final int qpNumber;
    private LanePair lanes;

    /// The SEND or WRITE that is partly received; null when there is none.
    private Operation message;

    private long received;
    /// Bytes copied of the present entry's payload in earlier turns.
    private long fetched;

    /// The ring position of the entry that [#fetched] counts for.
    private long fetchedOf = -1;

    private long fetchedInAll;
    /// Bytes of the READ that are already in the reply ring.
    private long answered;

    // Of the entry that was executed last.
    private int cells;
    private int bytes;
    private boolean completes;
    private boolean usesReceive;

    EntryExecutor(TransportService service) {
        this.service = service;
        this.memory = service.engine.memory();
        this.access = service.access;
        this.receive = service.receive;
        this.settings = service.settings;
        this.operations = new RemoteOperations(memory, service.qp);
        this.qpNumber = service.qp.number();
    }

    void start(LanePair with) {
        lanes = with;
        message = null;
        received = 0;
        fetched = 0;
        fetchedOf = -1;
        answered = 0;
    }

    void stop() {
        lanes = null;
    }

    int cells() {
        return cells;
    }

    int bytes() {
        return bytes;
    }

    /// Bytes copied out of the peer's regions so far.
    long fetchedInAll() {
        return fetchedInAll;
    }

    /// Whether the entry ended a message that a receive was taken for.
    boolean completes() {
        return completes;
    }

    boolean usesReceive() {
        return usesReceive;
    }

    /// OK when the entry is executed; the view gets the completion, if there is one. Null when the entry must be tried
    /// again, because the reply ring is full, or the peer's lane is not attached yet.
    Verdict execute(RingReader ring, CompletionView view) {
        long form = ring.form();
        completes = false;
        usesReceive = false;
        return (form & ~PLAIN_BITS) == PLAIN_SEND && message == null
                ? plainSend(ring, LaneLayout.length(form), LaneLayout.flags(form), view)
                : executeAny(ring, form, view);
    }

    private Verdict executeAny(RingReader ring, long form, CompletionView view) {
        int kind = LaneLayout.kind(form);
        int flags = LaneLayout.flags(form);
        boolean inRing = (flags & LaneLayout.REFERENCE) == 0;
        Operation operation = kind < OPERATIONS.length ? OPERATIONS[kind] : null;
        if (operation == null || KeyOperations.contains(operation)) {
            return Verdict.INVALID_REQUEST;
        }
        long length = LaneLayout.length(form) & 0xFFFF_FFFFL;
        long behind = LocalEntry.FIXED_BYTES
                + (!LocalEntry.hasPayload(operation) ? 0 : inRing ? length : LocalEntry.REFERENCE_BYTES);
        if (!ring.holds(behind) || length > RoceConstants.MAX_MESSAGE_BYTES) {
            return Verdict.INVALID_REQUEST;
        }
        if (!inRing && lanes.peerLane() == null) {
            return null; // only there can this side say that it is in the peer's memory
        }
        LocalEntry.read(ring.memory(), ring.bytesAt(), request);
        request.length = length;
        cells = LaneLayout.cells((int) behind);
        bytes = (int) Math.min(length, Integer.MAX_VALUE >> 1);
        return switch (operation) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> send(operation, ring, flags, view);
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> write(operation, ring, flags, view);
            case RDMA_READ -> read();
            default -> changeOrFlush(operation, ring);
        };
    }

    private Verdict plainSend(RingReader ring, int length, int flags, CompletionView view) {
        if (!ring.holds(length)) {
            return Verdict.INVALID_REQUEST;
        }
        usesReceive = true;
        Verdict verdict = receive.placeWhole(ring.memory(), ring.bytesAt(), length);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        cells = LaneLayout.cells(length);
        bytes = length;
        complete(view, CompletionOpcode.RECEIVE, 0, length, 0, flags);
        return Verdict.OK;
    }

    private void complete(
            CompletionView view, CompletionOpcode opcode, int viewFlags, long length, int value, int flags) {
        completes = true;
        int solicited = (flags & LaneLayout.SOLICITED) != 0 ? CompletionView.SOLICITED : 0;
        view.set(receive.wrId(), CompletionStatus.SUCCESS, opcode, viewFlags | solicited, qpNumber, 0, length, value);
    }

    // ---- SEND ----

    private Verdict send(Operation operation, RingReader ring, int flags, CompletionView view) {
        if (message != null && message != operation) {
            return Verdict.INVALID_REQUEST;
        }
        if (!receive.take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        usesReceive = true;
        long before = message == null ? 0 : received;
        if (before + request.length > receive.capacityBytes()) {
            return Verdict.RECEIVE_TOO_SHORT;
        }
        Verdict verdict = takePayload(true, before, ring, flags);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        received = before + request.length;
        if ((flags & LaneLayout.MORE) != 0) {
            message = operation;
            return Verdict.OK;
        }
        message = null;
        if (operation == Operation.SEND_WITH_INVALIDATE) {
            // The key is revoked before the receive completes (rule INV-1).
            if (memory.invalidate(service.qp, request.rkey) != AccessCheck.OK) {
                return Verdict.KEY_NOT_REVOCABLE;
            }
            complete(view, CompletionOpcode.RECEIVE, CompletionView.INVALIDATED, received, request.rkey, flags);
        } else if (operation == Operation.SEND_WITH_IMMEDIATE) {
            complete(view, CompletionOpcode.RECEIVE, CompletionView.IMMEDIATE, received, request.immediate, flags);
        } else {
            complete(view, CompletionOpcode.RECEIVE, 0, received, 0, flags);
        }
        return Verdict.OK;
    }

    /// Places the payload of a SEND `at` bytes into the receive, or that of a WRITE at that address.
    private Verdict takePayload(boolean send, long at, RingReader ring, int flags) {
        long from = ring.bytesAt() + LocalEntry.FIXED_BYTES;
        return (flags & LaneLayout.REFERENCE) == 0
                ? place(send, at, ring.memory(), from, (int) request.length)
                : fetch(send, at, ring, from);
    }

    private Verdict place(boolean send, long at, MemorySegment from, long fromAt, int length) {
        if (send) {
            return receive.place(at, from, fromAt, length) ? Verdict.OK : Verdict.RECEIVE_PROTECTION;
        }
        int right = Access.REMOTE_WRITE.bit();
        boolean placed = length == 0 || access.write(request.rkey, at, right, from, fromAt, length);
        return placed ? Verdict.OK : Verdict.REMOTE_ACCESS;
    }

    /// Like [#place], for a payload in the peer's region, which must stay open while it is copied. Null when the peer's
    /// process is ending: its descriptors are closed first, and its end will be noticed soon.
    private Verdict fetch(boolean send, long at, RingReader reader, long referenceAt) {
        MemorySegment ring = reader.memory();
        // The peer may change its entry between two turns: each piece is checked by itself, and counts only for this
        // entry.
        if (fetchedOf != reader.head()) {
            fetchedOf = reader.head();
            fetched = 0;
        }
        long end = Math.min(request.length, fetched + TURN_BYTES);
        while (fetched < end) {
            int piece = (int) Math.min(COPY_BYTES, end - fetched);
            long from = LocalEntry.offset(ring, referenceAt) + fetched;
            PeerRegion region = enterRegion(ring, referenceAt, from, piece);
            if (region == null) {
                return lanes.peer().isEnding() ? null : Verdict.OPERATION_FAILED;
            }
            try {
                Verdict verdict = place(send, at + fetched, HostMemory.ALL, region.atOffset(from), piece);
                if (verdict != Verdict.OK) {
                    return verdict;
                }
            } finally {
                lanes.peerLane().leaveMemory(PeerLane.AS_RESPONDER);
            }
            fetched += piece;
            fetchedInAll += piece;
        }
        if (fetched < request.length) {
            return Verdict.UNFINISHED;
        }
        return Verdict.OK;
    }

    /// Enters the peer's memory and returns the region of a reference. Null, without having entered, when the region is
    /// not open.
    private PeerRegion enterRegion(MemorySegment ring, long at, long from, int bytes) {
        PeerLane lane = lanes.peerLane();
        if (lane == null) {
            return null;
        }
        PeerRegion region = lane.peer().regionIn(LocalEntry.slot(ring, at), LocalEntry.registration(ring, at));
        if (region == null) {
            return null;
        }
        lane.enterMemory(PeerLane.AS_RESPONDER);
        if (region.isOpen() && region.contains(from, bytes)) {
            return region;
        }
        lane.leaveMemory(PeerLane.AS_RESPONDER);
        return null;
    }

    // ---- WRITE ----

    private Verdict write(Operation operation, RingReader ring, int flags, CompletionView view) {
        long total = request.operand;
        if (message != null && message != operation || !Access.REMOTE_WRITE.in(settings.access)) {
            return Verdict.INVALID_REQUEST;
        }
        boolean last = (flags & LaneLayout.MORE) == 0;
        boolean takesReceive = last && operation == Operation.RDMA_WRITE_WITH_IMMEDIATE;
        // As with packets, only the last entry needs a receive. The entries before it have placed their bytes.
        if (takesReceive && total <= settings.mtu && !receive.take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        long before = message == null ? 0 : received;
        if (total < 0 || total > RoceConstants.MAX_MESSAGE_BYTES || before + request.length > total) {
            return Verdict.INVALID_REQUEST;
        }
        int right = Access.REMOTE_WRITE.bit();
        if (message == null
                && total > 0
                && access.check(request.rkey, request.address, total, right) != AccessCheck.OK) {
            return Verdict.REMOTE_ACCESS;
        }
        Verdict verdict = takePayload(false, request.address, ring, flags);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        if (takesReceive && !receive.take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        received = before + request.length;
        message = last ? null : operation;
        if (takesReceive) {
            usesReceive = true;
            CompletionOpcode opcode = CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE;
            complete(view, opcode, CompletionView.IMMEDIATE, received, request.immediate, flags);
        }
        return Verdict.OK;
    }

    // ---- what is answered ----

    private boolean allows(int rights) {
        return settings.maxDestinationReadAtomic > 0 && (settings.access & rights) == rights;
    }

    private Verdict read() {
        if (message != null || !allows(Access.REMOTE_READ.bit())) {
            return Verdict.INVALID_REQUEST;
        }
        if (answered == 0) {
            Verdict verdict = operations.check(Operation.RDMA_READ, request);
            if (verdict != Verdict.OK) {
                return verdict;
            }
        }
        RingWriter replies = lanes.ownLane().replies();
        while (answered < request.length) {
            int piece = (int) Math.min(LocalEntry.REPLY_BYTES, request.length - answered);
            if (!hasRoom(replies, piece)) {
                return null;
            }
            long at = replies.claim(LaneLayout.cells(piece)) + LaneLayout.HEADER_BYTES;
            int right = Access.REMOTE_READ.bit();
            if (!access.read(request.rkey, request.address + answered, right, replies.memory(), at, piece)) {
                return Verdict.REMOTE_ACCESS;
            }
            publishReply(replies, Operation.RDMA_READ, piece);
            answered += piece;
        }
        answered = 0;
        return Verdict.OK;
    }

    private boolean hasRoom(RingWriter replies, int length) {
        int wanted = LaneLayout.cells(length);
        if (replies.hasRoom(wanted)) {
            return true;
        }
        replies.onConsumed(lanes.ownLane().repliesConsumed());
        return replies.hasRoom(wanted);
    }

    private void publishReply(RingWriter replies, Operation operation, int length) {
        replies.publish(LaneLayout.cells(length), LaneLayout.form(operation.ordinal(), 0, length), 0);
        lanes.peer().wakeRequester(lanes.ownLane().sendQueueSlot());
    }

    private Verdict changeOrFlush(Operation operation, RingReader ring) {
        request.length = RemoteWords.BYTES;
        if (operation == Operation.FLUSH) {
            request.length = request.operand;
            request.flushTypes = (int) (request.swap & ~SendRequestFields.WHOLE_REGION);
            boolean whole = (request.swap & SendRequestFields.WHOLE_REGION) != 0;
            request.selectivity = whole ? Feth.WHOLE_REGION : Feth.RANGE;
        }
        if (message != null || !allows(RemoteOperations.rights(operation, request.flushTypes))) {
            return Verdict.INVALID_REQUEST;
        }
        boolean answers = operation == Operation.COMPARE_AND_SWAP || operation == Operation.FETCH_AND_ADD;
        RingWriter replies = lanes.ownLane().replies();
        if (answers && !hasRoom(replies, Long.BYTES)) {
            return null;
        }
        Verdict verdict = operations.check(operation, request);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        verdict = operations.execute(operation, request, ring.memory(), ring.bytesAt() + LocalEntry.FIXED_BYTES);
        if (verdict == Verdict.OK && answers) {
            long at = replies.claim(LaneLayout.cells(Long.BYTES)) + LaneLayout.HEADER_BYTES;
            replies.memory().set(ValueLayout.JAVA_LONG, at, operations.original());
            publishReply(replies, operation, Long.BYTES);
        }
        return verdict;
    }
}
