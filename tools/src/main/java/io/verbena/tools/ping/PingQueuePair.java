package io.verbena.tools.ping;

import io.verbena.tools.program.ProgramConnection;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.verbs.MemoryRegion;
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
final class PingQueuePair extends ProgramConnection<PingQueuePair.Purpose> {
    private static final int SLOTS = 2;
    /// Depth of each queue, as in the C programs.
    private static final int DEPTH = 16;

    enum Purpose {
        SEND,
        RECEIVE
    }

    private final long size;
    private final Statistics statistics;
    private final List<ReceiveRequest> receives;
    private final List<SendRequest> sends;
    private final BooleanSupplier isComplete = this::isComplete;

    private long sent;
    private long received;
    private long sendsWanted;
    private long receivesWanted;

    /// @param timeout how long the peer may keep silent; zero: for ever
    PingQueuePair(
            ConnectionId id,
            ConnectionEvents events,
            CompletionWait wait,
            PingParameters parameters,
            Statistics statistics,
            Duration timeout) {
        super(
                id,
                Purpose.class,
                new Sizes(2 * DEPTH, DEPTH, DEPTH),
                new Waits(wait.sleeps(), cq -> wait.open(cq, events), events::isGone, timeout),
                new Memory(SLOTS * parameters.size(), Access.LOCAL_WRITE));
        this.size = parameters.size();
        this.statistics = statistics;
        MemoryRegion memory = memory(0);
        receives = IntStream.range(0, SLOTS)
                .mapToObj(slot ->
                        qp().newReceiveRequest().wrId(wrId(Purpose.RECEIVE)).into(memory, slot * size, size))
                .toList();
        sends = IntStream.range(0, SLOTS)
                .mapToObj(slot -> newRequest(Purpose.SEND).send().from(memory, slot * size, size))
                .toList();
    }

    /// The memory of one of the two messages.
    MemorySegment message(int slot) {
        return memory(0).memory().asSlice(slot * size, size);
    }

    void postReceive(int slot) {
        qp().post(receives.get(slot)); // there is room: at most two are in flight
    }

    void postSend(int slot) {
        qp().post(sends.get(slot));
    }

    /// Waits until that many sends are complete and that many messages have arrived, counted from the beginning. `what`
    /// names what the peer should have done, for errors.
    void await(long sends, long receives, String what) {
        sendsWanted = sends;
        receivesWanted = receives;
        await(isComplete, what);
    }

    /// Waits that long as for a completion, although none will come.
    void idle(Duration time) {
        long start = System.nanoTime();
        try {
            loop().await(this::isWrong, "end of the time", time);
        } catch (ProgramException e) {
            if (System.nanoTime() - start < time.toNanos()) {
                throw e;
            }
        }
    }

    private boolean isComplete() {
        return sent >= sendsWanted && received >= receivesWanted || isWrong();
    }

    @Override
    protected void onCompleted(Purpose purpose, WorkCompletion completion) {
        if (purpose == Purpose.SEND) {
            sent++;
            statistics.sendCompleted();
            statistics.message(size);
            return;
        }
        received++;
        statistics.receiveCompleted();
        statistics.message(completion.byteLength());
        if (completion.byteLength() != size) {
            wrong("a message of " + completion.byteLength() + " bytes came in where " + size
                    + " were agreed on; is the peer another program?");
        }
    }

    @Override
    protected String name(Purpose purpose) {
        return purpose == Purpose.SEND ? "SEND" : "RECEIVE of " + size + " bytes";
    }

    /// Closes the id first, and the queue pair with it.
    @Override
    public void close() {
        id().close();
        super.close();
    }
}
