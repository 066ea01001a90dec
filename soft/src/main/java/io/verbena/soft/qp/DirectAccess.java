package io.verbena.soft.qp;

import io.verbena.soft.local.LaneLayout;
import io.verbena.soft.local.PeerLane;
import io.verbena.soft.local.PeerRegion;
import io.verbena.soft.mem.MemoryAccess;
import io.verbena.soft.mem.MemoryKey;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.soft.os.HostMemory;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Executes WRITEs, READs and atomics directly in memory of the peer that this process has mapped, without the peer's
/// processor. A request that is not clearly allowed goes to the peer as an entry, and the peer determines the error.
/// Guarded by the send lock.
final class DirectAccess {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    /// A peer that closes a region waits for the piece that is being copied, so pieces are small.
    private static final int PIECE_BYTES = 1 << 20;

    /// The right that a READ needs to its own buffer.
    private static final int INTO = Access.LOCAL_WRITE.bit() | MemoryKey.LOCAL_READ;

    private final MemoryAccess memory;
    private final SendQueue queue;
    private final MemorySegment word = MemorySegment.ofArray(new long[1]);
    private PeerLane lane;
    private PeerRegion last;

    DirectAccess(TransportService service) {
        this.memory = service.access;
        this.queue = service.sends;
    }

    void attach(PeerLane to) {
        lane = to;
        last = null;
    }

    void detach() {
        lane = null;
        last = null;
    }

    boolean covers(Operation operation) {
        return switch (operation) {
            case RDMA_WRITE, RDMA_READ, COMPARE_AND_SWAP, FETCH_AND_ADD, ATOMIC_WRITE -> true;
            default -> false;
        };
    }

    private static int rightFor(Operation operation) {
        return switch (operation) {
            case RDMA_WRITE, ATOMIC_WRITE -> Access.REMOTE_WRITE.bit();
            case RDMA_READ -> Access.REMOTE_READ.bit();
            default -> Access.REMOTE_ATOMIC.bit();
        };
    }

    private PeerRegion region(int rkey) {
        PeerRegion known = last;
        if (known == null || known.key() != rkey || !known.isOpen()) {
            known = lane.peer().region(rkey);
            last = known;
        }
        return known;
    }

    /// Whether the memory that a queued request is for is mapped here.
    boolean reaches(long position) {
        return region(queue.rkey(position)) != null;
    }

    /// Whether the peer allows access to these bytes at the moment. To be called after [PeerLane#enterMemory].
    private boolean isAllowed(PeerRegion region, long address, long bytes, int right) {
        long accepting = lane.accepting();
        return region.isOpen()
                && LaneLayout.accepts(accepting, right)
                && region.allows(LaneLayout.domain(accepting), address, bytes, right);
    }

    // ---- requests that are not even queued ----

    /// Executes a checked WRITE or READ of one buffer. False when the request must be queued.
    boolean copy(SoftSendRequest request) {
        long bytes = ScatterGather.length(request.buffers.lengthAndKey());
        PeerRegion region = bytes == 0 || bytes > PIECE_BYTES ? null : region(request.rkey());
        if (region == null) {
            return false;
        }
        lane.enterMemory(PeerLane.AS_REQUESTER);
        try {
            return isAllowed(region, request.remoteAddress(), bytes, rightFor(request.operation()))
                    && copy(request, region.at(request.remoteAddress()), (int) bytes);
        } finally {
            lane.leaveMemory(PeerLane.AS_REQUESTER);
        }
    }

    private boolean copy(SoftSendRequest request, long there, int bytes) {
        SoftBufferList buffers = request.buffers;
        if (request.isInline()) {
            buffers.copyFirst(HostMemory.ALL, there, bytes);
            return true;
        }
        int lkey = ScatterGather.lkey(buffers.lengthAndKey());
        return request.operation() == Operation.RDMA_WRITE
                ? memory.read(lkey, buffers.address(), MemoryKey.LOCAL_READ, HostMemory.ALL, there, bytes)
                : memory.write(lkey, buffers.address(), INTO, HostMemory.ALL, there, bytes);
    }

    // ---- requests in their turn ----

    /// Executes a queued request. Returns its status, or null when it must be sent as an entry. Then a part of a WRITE
    /// may have been copied, and is copied again.
    CompletionStatus execute(long position, Operation operation) {
        long bytes = queue.length(position);
        PeerRegion region = bytes == 0 ? null : region(queue.rkey(position));
        if (region == null) {
            return null;
        }
        if (operation == Operation.RDMA_WRITE || operation == Operation.RDMA_READ) {
            return copy(position, operation, region, bytes) ? CompletionStatus.SUCCESS : null;
        }
        return change(position, operation, region);
    }

    private boolean copy(long position, Operation operation, PeerRegion region, long bytes) {
        long address = queue.remoteAddress(position);
        int right = rightFor(operation);
        for (long done = 0; done < bytes; ) {
            int piece = (int) Math.min(PIECE_BYTES, bytes - done);
            lane.enterMemory(PeerLane.AS_REQUESTER);
            try {
                if (!isAllowed(region, address, bytes, right)) {
                    return false;
                }
                long there = region.at(address) + done;
                boolean copied = operation == Operation.RDMA_WRITE
                        ? queue.gather(memory, position, done, HostMemory.ALL, there, piece)
                        : queue.scatter(memory, position, done, HostMemory.ALL, there, piece);
                if (!copied) {
                    return false;
                }
            } finally {
                lane.leaveMemory(PeerLane.AS_REQUESTER);
            }
            done += piece;
        }
        return true;
    }

    private CompletionStatus change(long position, Operation operation, PeerRegion region) {
        long address = queue.remoteAddress(position);
        boolean stores = operation == Operation.ATOMIC_WRITE;
        if (stores && !queue.gather(memory, position, 0, word, 0, Long.BYTES)) {
            return null;
        }
        long found = 0;
        lane.enterMemory(PeerLane.AS_REQUESTER);
        try {
            long at = region.at(address);
            if (!isAllowed(region, address, Long.BYTES, rightFor(operation)) || (at & Long.BYTES - 1) != 0) {
                return null;
            }
            switch (operation) {
                case FETCH_AND_ADD -> found = (long) WORD.getAndAdd(HostMemory.ALL, at, queue.operand(position));
                case COMPARE_AND_SWAP ->
                    found = (long) WORD.compareAndExchange(
                            HostMemory.ALL, at, queue.operand(position), queue.secondOperand(position));
                default -> WORD.setVolatile(HostMemory.ALL, at, word.get(ValueLayout.JAVA_LONG, 0));
            }
        } finally {
            lane.leaveMemory(PeerLane.AS_REQUESTER);
        }
        if (stores) {
            return CompletionStatus.SUCCESS;
        }
        word.set(ValueLayout.JAVA_LONG, 0, found);
        // The atomic is executed and must not be repeated, even if the buffers became invalid since they were checked.
        return queue.scatter(memory, position, 0, word, 0, Long.BYTES)
                ? CompletionStatus.SUCCESS
                : CompletionStatus.LOCAL_PROTECTION_ERROR;
    }
}
