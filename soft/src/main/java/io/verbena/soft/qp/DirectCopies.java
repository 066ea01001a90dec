package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.mem.AccessCheck;
import io.verbena.soft.mem.MemoryKey;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.soft.shm.Lane;
import io.verbena.soft.shm.PeerRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;

/// WRITEs and READs of one buffer on memory of the peer that this side has mapped, done in the very call that posts
/// them, before they are even queued: what [DirectOperations] does for all others, in their turn. Owned by the engine.
final class DirectCopies {
    /// Longer ones are copied in pieces, so that who closes a region need not wait for long.
    private static final int LONGEST = DirectOperations.PIECE_BYTES;

    private final ReliableConnection connection;
    private final Requester requester;
    private final Engine engine;
    private final MemoryTable table;
    private final SendQueue queue;
    private final PlainBuffers plain;
    private MemorySegment here;
    private long hereAt;

    DirectCopies(ReliableConnection connection, Requester requester) {
        this.connection = connection;
        this.requester = requester;
        this.engine = connection.engine;
        this.table = engine.memory();
        this.queue = connection.sends;
        this.plain = new PlainBuffers(connection.qp.capabilities());
    }

    /// Whether the request is plain and within the limits of the queue pair, so that nothing else need be checked.
    boolean covers(SoftSendRequest request) {
        boolean inline = (request.flags & SendQueue.INLINE) != 0;
        return (request.operation == Operation.RDMA_WRITE || request.operation == Operation.RDMA_READ && !inline)
                && plain.covers(request);
    }

    /// Carries a covered request out; false when it must take its turn. By the poster, who owns the engine, too.
    boolean carryOut(SoftSendRequest request, Lane lane) {
        if (!requester.isIdle() || !lane.isOpened()) {
            return false;
        }
        boolean writes = request.operation == Operation.RDMA_WRITE;
        if (!writes && !requester.mayRead()) {
            return false;
        }
        BufferList buffers = request.buffers;
        long bytes = ScatterGather.length(buffers.lengthAndKey());
        if (bytes == 0 || bytes > LONGEST || !findHere(request, writes, bytes)) {
            return false;
        }
        boolean reported = connection.completions.wants(request.flags);
        if (reported) {
            // Before the peer's memory is touched, since it may fail.
            queue.fill(request);
        }
        PeerRegion region = lane.region(request.rkey);
        if (region == null || !copy(request, lane, region, writes, bytes)) {
            return false;
        }
        engine.counters().increment(Counter.SHARED_MESSAGES);
        if (reported) {
            queue.publishInOrder();
            requester.onDoneAtOnce();
            connection.completions.succeed();
        }
        return true;
    }

    /// Where on this side the bytes are or go; false when the request may not touch them.
    private boolean findHere(SoftSendRequest request, boolean writes, long bytes) {
        BufferList buffers = request.buffers;
        if ((request.flags & SendQueue.INLINE) != 0) {
            here = buffers.memory();
            hereAt = buffers.offset();
            return true;
        }
        MemoryKey key = table.find(ScatterGather.lkey(buffers.lengthAndKey()));
        int right = MemoryKey.LOCAL_READ | (writes ? 0 : Access.LOCAL_WRITE.bit());
        if (key == null || key.check(connection.qp, buffers.address(), bytes, right) != AccessCheck.OK) {
            return false;
        }
        here = key.memory();
        hereAt = key.offsetOf(buffers.address());
        return true;
    }

    private boolean copy(SoftSendRequest request, Lane lane, PeerRegion region, boolean writes, long bytes) {
        int right = writes ? Access.REMOTE_WRITE.bit() : Access.REMOTE_READ.bit();
        lane.enterMemory();
        try {
            // Looked at after entering: who closes the region or the queue pair does it the other way round.
            if (!region.isOpen()
                    || !lane.accepts(right)
                    || !region.allows(lane.domain(), request.remoteAddress, bytes, right)) {
                return false;
            }
            MemorySegment there = region.memory();
            long at = region.offsetOf(request.remoteAddress);
            if (writes) {
                MemorySegment.copy(here, hereAt, there, at, bytes);
            } else {
                MemorySegment.copy(there, at, here, hereAt, bytes);
            }
            return true;
        } catch (IllegalStateException | InternalError gone) {
            // Memory was freed, or its file cut, by one side or the other: found out again in the request's turn.
            return false;
        } finally {
            lane.leaveMemory();
            here = null;
        }
    }
}
