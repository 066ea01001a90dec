package io.verbena.soft.qp;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.mem.MemoryKey;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.soft.shm.Lane;
import java.lang.foreign.MemorySegment;

/// SENDs of few bytes through shared memory, as short as can be: the peer has the message before this side has even
/// written down that there was one. Everything that is not plain is left to the [Requester], which also repeats such a
/// message if it must. Owned by the engine.
final class ShortSends {
    private final ReliableConnection connection;
    private final Requester requester;
    private final Engine engine;
    private final MemoryTable table;
    private final SendQueue queue;
    private final QueuePairSettings settings;
    private final PlainBuffers plain;

    ShortSends(ReliableConnection connection, Requester requester) {
        this.connection = connection;
        this.requester = requester;
        this.engine = connection.engine;
        this.table = engine.memory();
        this.queue = connection.sends;
        this.settings = connection.settings;
        this.plain = new PlainBuffers(connection.qp.capabilities());
    }

    /// Whether the SEND is plain and within the limits of the queue pair, so that nothing else need be checked.
    boolean covers(SoftSendRequest request) {
        if ((request.flags & SendQueue.FENCED) != 0 || !plain.covers(request)) {
            return false;
        }
        long bytes = ScatterGather.length(request.buffers.lengthAndKey());
        return bytes <= settings.mtu && bytes < Lane.REFERENCE_FROM;
    }

    /// Sends a covered request; false when it must take its turn. By the poster, who owns the engine, too.
    boolean send(SoftSendRequest request, Lane lane, long nowNs) {
        if (!requester.isUpToDate() || !lane.isOpened()) {
            return false;
        }
        BufferList buffers = request.buffers;
        int bytes = (int) ScatterGather.length(buffers.lengthAndKey());
        int at = lane.claim(bytes);
        if (at < 0) {
            return false;
        }
        // Nothing may fail once the peer has the message, or it would be repeated under another request's PSN.
        MemorySegment packet = lane.memory();
        boolean inline = (request.flags & SendQueue.INLINE) != 0;
        queue.prepare(inline);
        if (inline) {
            MemorySegment.copy(buffers.memory(), buffers.offset(), packet, at, bytes);
        } else if (bytes > 0 && !copy(buffers, packet, at, bytes)) {
            return false;
        }
        boolean owes = lane.owes();
        int psn = requester.nextPsn();
        lane.sendShort(at, bytes, psn, (request.flags & SendQueue.SOLICITED) != 0);
        lane.wake();
        if (owes) {
            engine.counters().increment(Counter.ACKS_SENT);
        }
        engine.counters().increment(Counter.SHARED_MESSAGES);
        queue.fillShort(request, psn, packet, at, bytes);
        queue.publishInOrder();
        requester.onSentShort(nowNs);
        return true;
    }

    private boolean copy(BufferList buffers, MemorySegment packet, int at, int bytes) {
        int lkey = ScatterGather.lkey(buffers.lengthAndKey());
        return ScatterGather.read(
                table, connection.qp, lkey, buffers.address(), MemoryKey.LOCAL_READ, packet, at, bytes);
    }
}
