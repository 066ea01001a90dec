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
    private final int maxBuffers;

    DirectCopies(ReliableConnection connection, Requester requester) {
        this.connection = connection;
        this.requester = requester;
        this.engine = connection.engine;
        this.table = engine.memory();
        this.queue = connection.sends;
        this.maxBuffers = Math.min(1, connection.qp.capabilities().maxSendScatterGather());
    }

    /// Whether the request is plain and within the limits of the queue pair, so that nothing else need be checked.
    boolean covers(SoftSendRequest request) {
        boolean copies = request.operation == Operation.RDMA_WRITE || request.operation == Operation.RDMA_READ;
        return copies && request.buffers.count() == 1 && maxBuffers == 1 && (request.flags & SendQueue.INLINE) == 0;
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
        MemoryKey key = table.find(ScatterGather.lkey(buffers.lengthAndKey()));
        int localRight = MemoryKey.LOCAL_READ | (writes ? 0 : Access.LOCAL_WRITE.bit());
        if (bytes == 0
                || bytes > LONGEST
                || key == null
                || key.check(connection.qp, buffers.address(), bytes, localRight) != AccessCheck.OK) {
            return false;
        }
        PeerRegion region = lane.region(request.rkey);
        if (region == null || !copy(request, lane, region, key, writes, bytes)) {
            return false;
        }
        engine.counters().increment(Counter.SHARED_MESSAGES);
        if (connection.completions.wants(request.flags)) {
            queue.write(request);
            requester.onDoneAtOnce();
            connection.completions.succeed();
        }
        return true;
    }

    private static boolean copy(
            SoftSendRequest request, Lane lane, PeerRegion region, MemoryKey key, boolean writes, long bytes) {
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
            long here = key.offsetOf(request.buffers.address());
            if (writes) {
                MemorySegment.copy(key.memory(), here, there, at, bytes);
            } else {
                MemorySegment.copy(there, at, key.memory(), here, bytes);
            }
            return true;
        } catch (IllegalStateException | InternalError gone) {
            // Memory was freed, or its file cut, by one side or the other: found out again in the request's turn.
            return false;
        } finally {
            lane.leaveMemory();
        }
    }
}
