package io.verbena.tools.ping;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// The objects of both sides: registered memory for two messages, a completion queue, a queue pair, and one request of
/// each kind per message, which is posted again and again.
final class PingQueuePair implements AutoCloseable {
    private static final int SLOTS = 2;
    /// Depth of each queue, as in the C programs.
    private static final int DEPTH = 16;
    // numbers of requests: a failed completion has no opcode
    private static final int SEND = 0;
    private static final int RECEIVE = 1;

    private final Owned owned = new Owned();
    private final long size;
    private final Statistics statistics;
    private final MemoryRegion memory;
    private final CompletionQueue cq;
    private final CompletionLoop loop;
    private final QueuePair qp;
    private final List<ReceiveRequest> receives;
    private final List<SendRequest> sends;
    private final BooleanSupplier isComplete = this::isComplete;

    private long sent;
    private long received;
    private long sendsWanted;
    private long receivesWanted;
    private long wrongLength = -1;

    /// @param timeout how long the peer may keep silent; zero: for ever
    PingQueuePair(
            ConnectionId id,
            ConnectionEvents events,
            WaitWay wait,
            PingParameters parameters,
            Statistics statistics,
            Duration timeout) {
        this.size = parameters.size();
        this.statistics = statistics;
        try {
            memory = owned.add(id.protectionDomain().allocate(SLOTS * size, Access.LOCAL_WRITE));
            CompletionChannel channel = wait.createChannel(id.context());
            if (channel == null) {
                cq = owned.add(id.context().createCompletionQueue(2 * DEPTH));
            } else {
                cq = owned.add(id.context().createCompletionQueue(2 * DEPTH, owned.add(channel)));
            }
            Waiting waiting = owned.add(wait.open(cq, events));
            loop = new CompletionLoop(cq, waiting, events::isGone, timeout, this::onSuccess, this::name);
            qp = id.createQueuePair(
                    id.protectionDomain(),
                    QueuePairOptions.rc(cq)
                            .sendRequests(DEPTH)
                            .receiveRequests(DEPTH)
                            .scatterGather(1, 1));
            owned.add(id); // its queue pair is closed with it, and before the other objects
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
        receives = IntStream.range(0, SLOTS)
                .mapToObj(slot -> qp.newReceiveRequest().wrId(RECEIVE).into(memory, slot * size, size))
                .toList();
        sends = IntStream.range(0, SLOTS)
                .mapToObj(slot -> qp.newSendRequest()
                        .wrId(SEND)
                        .send()
                        .from(memory, slot * size, size)
                        .signaled())
                .toList();
    }

    /// The memory of one of the two messages.
    MemorySegment message(int slot) {
        return memory.memory().asSlice(slot * size, size);
    }

    void postReceive(int slot) {
        qp.post(receives.get(slot)); // there is room: at most two are in flight
    }

    void postSend(int slot) {
        qp.post(sends.get(slot));
    }

    /// Waits until that many sends are complete and that many messages have arrived, counted from the beginning. `what`
    /// names what the peer should have done, for errors.
    void await(long sends, long receives, String what) {
        sendsWanted = sends;
        receivesWanted = receives;
        loop.await(isComplete, what);
        if (wrongLength >= 0) {
            throw new ProgramException("a message of " + wrongLength + " bytes came in where " + size
                    + " were agreed on; is the peer another program?");
        }
    }

    /// Waits that long as for a completion, although none will come.
    void idle(Duration time) {
        long start = System.nanoTime();
        try {
            loop.await(() -> wrongLength >= 0, "end of the time", time);
        } catch (ProgramException e) {
            if (System.nanoTime() - start < time.toNanos()) {
                throw e;
            }
        }
    }

    private boolean isComplete() {
        return sent >= sendsWanted && received >= receivesWanted || wrongLength >= 0;
    }

    private void onSuccess(WorkCompletion completion) {
        if (completion.wrId() == SEND) {
            sent++;
            statistics.sendCompleted();
            statistics.message(size);
            return;
        }
        received++;
        statistics.receiveCompleted();
        statistics.message(completion.byteLength());
        if (completion.byteLength() != size) {
            wrongLength = completion.byteLength();
        }
    }

    private String name(long wrId) {
        return wrId == SEND ? "SEND" : "RECEIVE of " + size + " bytes";
    }

    @Override
    public void close() {
        owned.close();
    }
}
