package io.verbena.soft.qp;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.soft.shm.Inbox;
import io.verbena.soft.shm.Lane;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.QueuePairState;

/// Short messages that came through shared memory: what the [Responder] does with any message, for those that are
/// expected and have a receive that they fit into. Owned by the engine.
final class ShortReceives {
    private final ReliableConnection connection;
    private final Responder responder;
    private final Engine engine;
    private final MemoryTable table;
    private final QueuePairSettings settings;
    /// Null when receives come from a shared queue.
    private final ReceiveQueue queue;

    ShortReceives(ReliableConnection connection, Responder responder) {
        this.connection = connection;
        this.responder = responder;
        this.engine = connection.engine;
        this.table = engine.memory();
        this.settings = connection.settings;
        this.queue = connection.receive instanceof OwnReceives own ? own.queue() : null;
    }

    /// Takes the short message that the inbox is at; false when it is not plain, and nothing was done.
    boolean take(Inbox inbox, Lane lane) {
        int psn = inbox.psn();
        if (queue == null || !responder.expectsMessage(psn) || queue.isEmpty()) {
            return false;
        }
        long position = queue.head();
        int bytes = inbox.packetBytes();
        if (queue.bufferCount(position) != 1 || bytes == 0 || bytes > settings.mtu) {
            return false;
        }
        long[] words = queue.words(position);
        int at = queue.buffersAt(position);
        if (bytes > ScatterGather.length(words[at + 1])
                || !ScatterGather.write(
                        table,
                        connection.qp,
                        ScatterGather.lkey(words[at + 1]),
                        words[at],
                        Access.LOCAL_WRITE.bit(),
                        inbox.memory(),
                        inbox.packetAt(),
                        bytes)) {
            return false;
        }
        connection.onRequest();
        connection.completions.receive(CompletionOpcode.RECEIVE, bytes, false, 0, inbox.isSolicited());
        boolean kept = connection.state() != QueuePairState.ERR;
        responder.onMessageTaken(psn, kept);
        if (kept) {
            lane.owe(psn);
            connection.acknowledgeSoon();
        }
        return true;
    }
}
