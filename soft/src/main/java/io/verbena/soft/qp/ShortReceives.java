package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionView;
import io.verbena.soft.cq.ShortMessages;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.soft.shm.Inbox;
import io.verbena.soft.shm.Lane;
import io.verbena.soft.shm.SharedLink;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.QueuePairState;

/// Short messages that came through shared memory: what the [Responder] does with any message, for those that are
/// expected and have a receive that they fit into. Owned by the engine.
final class ShortReceives implements ShortMessages {
    /// Who looks at the place of the next message takes its cache line from the peer, which writes there. In a stream,
    /// where nobody waits for an answer, it gets ahead when it is left alone for a moment.
    private static final int SKIPPED_LOOKS = 8;

    private final ReliableConnection connection;
    private final Responder responder;
    private final Engine engine;
    private final MemoryTable table;
    private final QueuePairSettings settings;
    /// Null when receives come from a shared queue.
    private final ReceiveQueue queue;

    private SharedLink link;
    private Inbox inbox;
    private Lane lane;
    /// Whether messages come without answers, how far the answers had come with the last message, and how many looks
    /// are left out from here on.
    private boolean streams;

    private long answeredUpTo;
    private int looksToSkip;

    ShortReceives(ReliableConnection connection, Responder responder) {
        this.connection = connection;
        this.responder = responder;
        this.engine = connection.engine;
        this.table = engine.memory();
        this.settings = connection.settings;
        this.queue = connection.receive instanceof OwnReceives own ? own.queue() : null;
    }

    /// Messages come this way until the next one is opened.
    void open(SharedLink way) {
        link = way;
        inbox = way.inbox();
        lane = way.lane();
    }

    @Override
    public boolean hasNews() {
        if (looksToSkip > 0) {
            looksToSkip--;
            return false;
        }
        boolean news = inbox.hasNewsNow();
        looksToSkip = news || !streams ? 0 : SKIPPED_LOOKS;
        return news;
    }

    @Override
    public boolean take(CompletionView completion) {
        boolean carriedBefore = inbox.hasCarried();
        try {
            if (!connection.hasSeenRequest() || !inbox.next() || !inbox.isShort() || !place()) {
                return false;
            }
        } catch (RuntimeException e) {
            // Such as memory of another thread's: found again, and reported, by the cycle.
            return false;
        }
        completion.received(queue.wrId(queue.head()), inbox.packetBytes(), connection.qp.number());
        queue.retire();
        link.onHeard();
        streams = lane.position() == answeredUpTo;
        answeredUpTo = lane.position();
        inbox.lookInTime();
        onTaken(true);
        inbox.release();
        inbox.settleInTime();
        if (carriedBefore || inbox.hasLooked()) {
            // The program does not answer: then nobody else looks at it while messages come.
            connection.takeAcknowledgements(inbox);
        }
        return true;
    }

    /// Takes the short message that the inbox is at; false when it is not plain, and nothing was done.
    boolean take() {
        if (!place()) {
            return false;
        }
        connection.onRequest();
        connection.completions.receive(CompletionOpcode.RECEIVE, inbox.packetBytes(), false, 0, inbox.isSolicited());
        onTaken(connection.state() != QueuePairState.ERR);
        return true;
    }

    /// Puts the message where the oldest receive says; false when it must be taken as any packet.
    private boolean place() {
        if (queue == null || !responder.expectsMessage(inbox.psn()) || queue.isEmpty()) {
            return false;
        }
        long position = queue.head();
        int bytes = inbox.packetBytes();
        if (queue.bufferCount(position) != 1 || bytes == 0 || bytes > settings.mtu) {
            return false;
        }
        long[] words = queue.words(position);
        int at = queue.buffersAt(position);
        return bytes <= ScatterGather.length(words[at + 1])
                && ScatterGather.write(
                        table,
                        connection.qp,
                        ScatterGather.lkey(words[at + 1]),
                        words[at],
                        Access.LOCAL_WRITE.bit(),
                        inbox.memory(),
                        inbox.packetAt(),
                        bytes);
    }

    private void onTaken(boolean kept) {
        int psn = inbox.psn();
        responder.onMessageTaken(psn, kept);
        if (kept) {
            lane.owe(psn);
            connection.acknowledgeSoon();
        }
    }
}
