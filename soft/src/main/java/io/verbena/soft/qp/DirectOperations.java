package io.verbena.soft.qp;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.soft.shm.Lane;
import io.verbena.soft.shm.PeerRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// WRITEs, READs and atomics that this side does itself on memory of the peer that it has mapped: the peer's processor
/// has no part in it. Whatever is not plainly allowed is left to the peer's engine, which knows why not. Owned by the
/// engine.
final class DirectOperations {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    /// Who closes a region waits for the piece under way, so pieces are small enough to wait for.
    static final int PIECE_BYTES = 1 << 20;

    private final ReliableConnection connection;
    private final Engine engine;
    private final SendQueue queue;
    private final MemorySegment word = MemorySegment.ofArray(new long[1]);

    DirectOperations(ReliableConnection connection) {
        this.connection = connection;
        this.engine = connection.engine;
        this.queue = connection.sends;
    }

    boolean covers(Operation operation) {
        return switch (operation) {
            case RDMA_WRITE, RDMA_READ, COMPARE_AND_SWAP, FETCH_AND_ADD -> true;
            default -> false;
        };
    }

    /// How the request ended; null when it must be sent after all. A part of a WRITE may be done then: it is done
    /// again.
    CompletionStatus carryOut(long position) {
        Operation operation = queue.operation(position);
        int right = rightFor(operation);
        long bytes = queue.length(position);
        Lane lane = connection.lane();
        if (bytes == 0 || !lane.isAttached()) {
            return null;
        }
        PeerRegion region = lane.region(queue.rkey(position));
        if (region == null) {
            return null;
        }
        if (operation == Operation.RDMA_WRITE || operation == Operation.RDMA_READ) {
            return copy(position, operation, lane, region, right, bytes) ? CompletionStatus.SUCCESS : null;
        }
        return change(position, operation, lane, region);
    }

    private static int rightFor(Operation operation) {
        return switch (operation) {
            case RDMA_WRITE -> Access.REMOTE_WRITE.bit();
            case RDMA_READ -> Access.REMOTE_READ.bit();
            default -> Access.REMOTE_ATOMIC.bit();
        };
    }

    private boolean copy(long position, Operation operation, Lane lane, PeerRegion region, int right, long bytes) {
        long address = queue.remoteAddress(position);
        for (long done = 0; done < bytes; ) {
            int piece = (int) Math.min(PIECE_BYTES, bytes - done);
            lane.enterMemory();
            try {
                // Looked at after entering: who closes the region or the queue pair does it the other way round.
                if (!region.isOpen() || !lane.accepts(right) || !region.allows(lane.domain(), address, bytes, right)) {
                    return false;
                }
                long there = region.offsetOf(address) + done;
                boolean copied = operation == Operation.RDMA_WRITE
                        ? gather(position, done, region.memory(), there, piece)
                        : scatter(position, done, region.memory(), there, piece);
                if (!copied) {
                    return false;
                }
            } finally {
                lane.leaveMemory();
            }
            done += piece;
        }
        return true;
    }

    private boolean gather(long position, long skip, MemorySegment to, long at, int bytes) {
        if (queue.has(position, SendQueue.INLINE)) {
            MemorySegment.copy(queue.inline(position), queue.inlineAt(position) + skip, to, at, bytes);
            return true;
        }
        return ScatterGather.gather(
                engine.memory(),
                connection.qp,
                queue.words(position),
                queue.buffersAt(position),
                queue.bufferCount(position),
                skip,
                to,
                at,
                bytes);
    }

    private boolean scatter(long position, long skip, MemorySegment from, long at, int bytes) {
        return ScatterGather.scatter(
                engine.memory(),
                connection.qp,
                queue.words(position),
                queue.buffersAt(position),
                queue.bufferCount(position),
                skip,
                from,
                at,
                bytes);
    }

    private CompletionStatus change(long position, Operation operation, Lane lane, PeerRegion region) {
        long address = queue.remoteAddress(position);
        int right = Access.REMOTE_ATOMIC.bit();
        long found;
        lane.enterMemory();
        try {
            if (!region.isOpen()
                    || !lane.accepts(right)
                    || !region.allows(lane.domain(), address, Long.BYTES, right)
                    || (region.offsetOf(address) & Long.BYTES - 1) != 0) {
                return null;
            }
            long at = region.offsetOf(address);
            found = operation == Operation.FETCH_AND_ADD
                    ? (long) WORD.getAndAdd(region.memory(), at, queue.operand(position))
                    : (long) WORD.compareAndExchange(
                            region.memory(), at, queue.operand(position), queue.secondOperand(position));
        } finally {
            lane.leaveMemory();
        }
        word.set(ValueLayout.JAVA_LONG, 0, found);
        // The word is changed, whatever became of the buffers since they were checked: it must not be changed again.
        return scatter(position, 0, word, 0, Long.BYTES)
                ? CompletionStatus.SUCCESS
                : CompletionStatus.LOCAL_PROTECTION_ERROR;
    }
}
