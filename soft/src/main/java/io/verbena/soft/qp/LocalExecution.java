package io.verbena.soft.qp;

import io.verbena.roce.packet.RoceConstants;
import io.verbena.soft.cq.CompletionView;
import io.verbena.soft.local.LaneLayout;
import io.verbena.soft.local.LocalLink;
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
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Executes one entry of a request ring on this side's memory, with the checks of the specification in their order.
/// What the peer wrote may be anything. Guarded by the responder's lock.
final class LocalExecution {
    private static final Operation[] OPERATIONS = Operation.values();
    private static final int SEND = Operation.SEND.ordinal();

    /// A peer that closes its region waits for the piece under way, so pieces are small enough to wait for.
    private static final int COPY_BYTES = 1 << 20;

    private final TransportService service;
    private final MemoryTable memory;
    private final MemoryAccess access;
    private final ReceiveInHand receive;
    private final QueuePairSettings settings;
    private final RemoteOperations operations;
    private LocalLink link;

    /// The SEND or WRITE that is half way in; null when none is.
    private Operation message;

    private long received;
    /// Of the READ that is being answered.
    private long answered;

    // Of the entry that was executed last.
    private int cells;
    private int bytes;
    private boolean completes;
    private boolean usesReceive;
    /// Whether the receive was taken by a WRITE. No reference is stored for a message: the garbage collector would want
    /// a fence for it.
    private boolean byWrite;
    private int completionFlags;
    private long completedBytes;
    private int immediate;
    private boolean solicited;

    LocalExecution(TransportService service) {
        this.service = service;
        this.memory = service.engine.memory();
        this.access = service.access;
        this.receive = service.receive;
        this.settings = service.settings;
        this.operations = new RemoteOperations(memory, service.qp);
    }

    void start(LocalLink with) {
        link = with;
        message = null;
        received = 0;
        answered = 0;
    }

    void stop() {
        link = null;
    }

    int cells() {
        return cells;
    }

    int bytes() {
        return bytes;
    }

    /// Whether the entry ended a message that a receive was taken for.
    boolean completes() {
        return completes;
    }

    boolean usesReceive() {
        return usesReceive;
    }

    CompletionOpcode opcode() {
        return byWrite ? CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE : CompletionOpcode.RECEIVE;
    }

    int completionFlags() {
        return completionFlags;
    }

    long completedBytes() {
        return completedBytes;
    }

    int immediate() {
        return immediate;
    }

    boolean isSolicited() {
        return solicited;
    }

    /// OK when the entry is done with; null when it must be tried again, because the peer has not taken the answers, or
    /// its lane is not known yet.
    Verdict execute(RingReader ring) {
        long form = ring.form();
        int kind = LaneLayout.kind(form);
        int flags = LaneLayout.flags(form);
        completes = false;
        usesReceive = false;
        if (kind == SEND && (flags & ~LaneLayout.SOLICITED) == 0 && message == null) {
            return plainSend(ring, LaneLayout.length(form), flags);
        }
        boolean inRing = (flags & LaneLayout.REFERENCE) == 0;
        Operation operation = kind < OPERATIONS.length ? OPERATIONS[kind] : null;
        if (operation == null || LocalOperations.contains(operation)) {
            return Verdict.INVALID_REQUEST;
        }
        long length = LaneLayout.length(form) & 0xFFFF_FFFFL;
        long behind = LocalEntry.FIXED_BYTES
                + (!LocalEntry.hasPayload(operation) ? 0 : inRing ? length : LocalEntry.REFERENCE_BYTES);
        if (!ring.holds(behind) || length > RoceConstants.MAX_MESSAGE_BYTES) {
            return Verdict.INVALID_REQUEST;
        }
        if (!inRing && link.lane() == null) {
            return null; // only there can this side say that it is in the peer's memory
        }
        cells = LaneLayout.cells((int) behind);
        bytes = (int) Math.min(length, Integer.MAX_VALUE >> 1);
        return switch (operation) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> send(operation, ring, length, flags);
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> write(operation, ring, length, flags);
            case RDMA_READ -> read(ring, length);
            default -> changeOrFlush(operation, ring);
        };
    }

    private Verdict plainSend(RingReader ring, int length, int flags) {
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
        complete(false, 0, length, 0, flags);
        return Verdict.OK;
    }

    private void complete(boolean write, int viewFlags, long length, int value, int flags) {
        completes = true;
        byWrite = write;
        completionFlags = viewFlags;
        completedBytes = length;
        immediate = value;
        solicited = (flags & LaneLayout.SOLICITED) != 0;
    }

    // ---- SEND ----

    private Verdict send(Operation operation, RingReader ring, long length, int flags) {
        if (message != null && message != operation) {
            return Verdict.INVALID_REQUEST;
        }
        if (!receive.take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        usesReceive = true;
        long before = message == null ? 0 : received;
        if (before + length > receive.capacityBytes()) {
            return Verdict.RECEIVE_TOO_SHORT;
        }
        MemorySegment memoryOfRing = ring.memory();
        long fixedAt = ring.bytesAt();
        long payloadAt = fixedAt + LocalEntry.FIXED_BYTES;
        boolean inRing = (flags & LaneLayout.REFERENCE) == 0;
        Verdict verdict = inRing
                ? place(true, before, 0, memoryOfRing, payloadAt, (int) length)
                : fetch(true, before, 0, memoryOfRing, payloadAt, length);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        received = before + length;
        if ((flags & LaneLayout.MORE) != 0) {
            message = operation;
            return Verdict.OK;
        }
        message = null;
        if (operation == Operation.SEND_WITH_INVALIDATE) {
            // The key is dead before the receive reports (rule INV-1).
            int rkey = LocalEntry.rkey(memoryOfRing, fixedAt);
            if (memory.invalidate(service.qp, rkey) != AccessCheck.OK) {
                return Verdict.KEY_NOT_REVOCABLE;
            }
            complete(false, CompletionView.INVALIDATED, received, rkey, flags);
        } else {
            boolean hasImmediate = operation == Operation.SEND_WITH_IMMEDIATE;
            complete(
                    false,
                    hasImmediate ? CompletionView.IMMEDIATE : 0,
                    received,
                    hasImmediate ? LocalEntry.immediate(memoryOfRing, fixedAt) : 0,
                    flags);
        }
        return Verdict.OK;
    }

    /// Puts bytes of a SEND into the receive, from `at` bytes on, or those of a WRITE at an address.
    private Verdict place(boolean send, long at, int rkey, MemorySegment from, long fromAt, int length) {
        if (send) {
            return receive.place(at, from, fromAt, length) ? Verdict.OK : Verdict.RECEIVE_PROTECTION;
        }
        boolean placed = length == 0 || access.write(rkey, at, Access.REMOTE_WRITE.bit(), from, fromAt, length);
        return placed ? Verdict.OK : Verdict.REMOTE_ACCESS;
    }

    /// As [#place], for a payload that is still in the peer's region, which must not be closed until it is copied. Of a
    /// peer whose process has ended nothing more can be fetched: then this side hears of its end soon.
    private Verdict fetch(boolean send, long at, int rkey, MemorySegment ring, long referenceAt, long length) {
        for (long done = 0; done < length; done += COPY_BYTES) {
            int piece = (int) Math.min(COPY_BYTES, length - done);
            long from = LocalEntry.offset(ring, referenceAt) + done;
            PeerRegion region = enterRegion(ring, referenceAt, from, piece);
            if (region == null) {
                return link.peer().findGone() ? null : Verdict.OPERATION_FAILED;
            }
            try {
                Verdict verdict = place(send, at + done, rkey, HostMemory.ALL, region.atOffset(from), piece);
                if (verdict != Verdict.OK) {
                    return verdict;
                }
            } finally {
                link.lane().leaveMemory(PeerLane.AS_RESPONDER);
            }
        }
        return Verdict.OK;
    }

    /// The region that a reference names, with this side inside; null, and this side outside, when it is not there.
    private PeerRegion enterRegion(MemorySegment ring, long at, long from, int bytes) {
        PeerLane lane = link.lane();
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

    private Verdict write(Operation operation, RingReader ring, long length, int flags) {
        MemorySegment memoryOfRing = ring.memory();
        long fixedAt = ring.bytesAt();
        long address = LocalEntry.address(memoryOfRing, fixedAt);
        int rkey = LocalEntry.rkey(memoryOfRing, fixedAt);
        long total = LocalEntry.operand(memoryOfRing, fixedAt);
        if (message != null && message != operation || !Access.REMOTE_WRITE.in(settings.access)) {
            return Verdict.INVALID_REQUEST;
        }
        boolean last = (flags & LaneLayout.MORE) == 0;
        boolean takesReceive = last && operation == Operation.RDMA_WRITE_WITH_IMMEDIATE;
        // As with packets: only the last one needs the receive, those before it have placed their bytes.
        if (takesReceive && total <= settings.mtu && !receive.take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        long before = message == null ? 0 : received;
        if (total < 0 || total > RoceConstants.MAX_MESSAGE_BYTES || before + length > total) {
            return Verdict.INVALID_REQUEST;
        }
        int right = Access.REMOTE_WRITE.bit();
        if (message == null && total > 0 && access.check(rkey, address, total, right) != AccessCheck.OK) {
            return Verdict.REMOTE_ACCESS;
        }
        long payloadAt = fixedAt + LocalEntry.FIXED_BYTES;
        boolean inRing = (flags & LaneLayout.REFERENCE) == 0;
        Verdict verdict = inRing
                ? place(false, address, rkey, memoryOfRing, payloadAt, (int) length)
                : fetch(false, address, rkey, memoryOfRing, payloadAt, length);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        if (takesReceive && !receive.take()) {
            return Verdict.RECEIVER_NOT_READY;
        }
        received = before + length;
        message = last ? null : operation;
        if (takesReceive) {
            int value = LocalEntry.immediate(memoryOfRing, fixedAt);
            usesReceive = true;
            complete(true, CompletionView.IMMEDIATE, received, value, flags);
        }
        return Verdict.OK;
    }

    // ---- what is answered ----

    private boolean allows(int rights) {
        return settings.maxDestinationReadAtomic > 0 && (settings.access & rights) == rights;
    }

    private Verdict read(RingReader ring, long length) {
        MemorySegment memoryOfRing = ring.memory();
        long fixedAt = ring.bytesAt();
        long address = LocalEntry.address(memoryOfRing, fixedAt);
        int rkey = LocalEntry.rkey(memoryOfRing, fixedAt);
        if (message != null || !allows(Access.REMOTE_READ.bit())) {
            return Verdict.INVALID_REQUEST;
        }
        if (answered == 0) {
            Verdict verdict = operations.check(Operation.RDMA_READ, rkey, address, length, 0, 0);
            if (verdict != Verdict.OK) {
                return verdict;
            }
        }
        RingWriter replies = link.own().replies();
        while (answered < length) {
            int piece = (int) Math.min(LocalEntry.REPLY_BYTES, length - answered);
            if (!hasRoom(replies, piece)) {
                return null;
            }
            long at = replies.claim(LaneLayout.cells(piece)) + LaneLayout.CELL_BYTES;
            if (!access.read(rkey, address + answered, Access.REMOTE_READ.bit(), replies.memory(), at, piece)) {
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
        replies.consumed(link.own().repliesConsumed());
        return replies.hasRoom(wanted);
    }

    private void publishReply(RingWriter replies, Operation operation, int length) {
        replies.publish(LaneLayout.cells(length), LaneLayout.form(operation.ordinal(), 0, length), 0);
        link.peer().wakeRequester(link.own().sendQueueSlot());
    }

    private Verdict changeOrFlush(Operation operation, RingReader ring) {
        MemorySegment memoryOfRing = ring.memory();
        long fixedAt = ring.bytesAt();
        long address = LocalEntry.address(memoryOfRing, fixedAt);
        int rkey = LocalEntry.rkey(memoryOfRing, fixedAt);
        long operand = LocalEntry.operand(memoryOfRing, fixedAt);
        long second = LocalEntry.secondOperand(memoryOfRing, fixedAt);
        boolean flushes = operation == Operation.FLUSH;
        int types = flushes ? (int) (second & ~SoftSendRequest.WHOLE_REGION) : 0;
        int selectivity = flushes && (second & SoftSendRequest.WHOLE_REGION) != 0 ? 1 : 0;
        long length = flushes ? operand : RemoteWords.BYTES;
        if (message != null || !allows(RemoteOperations.rights(operation, types))) {
            return Verdict.INVALID_REQUEST;
        }
        boolean answers = operation == Operation.COMPARE_AND_SWAP || operation == Operation.FETCH_AND_ADD;
        RingWriter replies = link.own().replies();
        if (answers && !hasRoom(replies, Long.BYTES)) {
            return null;
        }
        Verdict verdict = operations.check(operation, rkey, address, length, types, selectivity);
        if (verdict != Verdict.OK) {
            return verdict;
        }
        verdict = operations.execute(
                operation,
                rkey,
                address,
                length,
                types,
                selectivity,
                operand,
                second,
                memoryOfRing,
                fixedAt + LocalEntry.FIXED_BYTES);
        if (verdict == Verdict.OK && answers) {
            long at = replies.claim(LaneLayout.cells(Long.BYTES)) + LaneLayout.CELL_BYTES;
            replies.memory().set(ValueLayout.JAVA_LONG, at, operations.original());
            publishReply(replies, operation, Long.BYTES);
        }
        return verdict;
    }
}
