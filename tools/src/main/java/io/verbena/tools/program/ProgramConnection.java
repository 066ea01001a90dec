package io.verbena.tools.program;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.cm.ConnectionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// The objects that one side of a connection makes before it connects: a completion queue, memory and a queue pair.
/// Each
/// request has a purpose, and a program waits for completions by their purpose.
///
/// The purpose is in the low bits of the request's number, because a failed completion has no opcode. The other bits
/// belong to the program: see [#wrId] and [#rest].
///
/// @param <P> the purposes of the program's requests; [Enum#toString] names them in errors
public abstract class ProgramConnection<P extends Enum<P>> implements AutoCloseable {
    private static final int PURPOSE_BITS = 3;

    /// How many completions, send requests and receives the queues hold.
    public record Sizes(int completions, int sends, int receives) {}

    /// Memory to register, and what may be done with it.
    public record Memory(long bytes, Access... access) {}

    /// How a side waits.
    ///
    /// - `channel`: whether the completion queue gets a channel
    /// - `timeout`: how long the peer may keep silent; zero: for ever
    public record Waits(
            boolean channel, Function<CompletionQueue, Waiting> waiting, CompletionLoop.Peer peer, Duration timeout) {
        /// Asleep on the completion channel, on a synchronous id.
        public static Waits asleep(ConnectionId id, Duration timeout) {
            return new Waits(true, Waiting::notified, CompletionLoop.Peer.of(id), timeout);
        }
    }

    private final ConnectionId id;
    private final P[] purposes;
    private final int[] completed;
    private final int[] awaited;
    private final Owned owned = new Owned();
    private final List<MemoryRegion> memory = new ArrayList<>();
    private final QueuePair qp;
    private final CompletionLoop loop;
    private String wrong;

    /// @param id knows its device: its address and route are resolved, or it is a request from a client
    protected ProgramConnection(ConnectionId id, Class<P> purposes, Sizes sizes, Waits waits, Memory... parts) {
        this(id, purposes, sizes, waits, ProgramConnection::createQueuePair, parts);
    }

    /// @param newQueuePair makes the queue pair of the id
    protected ProgramConnection(
            ConnectionId id,
            Class<P> purposes,
            Sizes sizes,
            Waits waits,
            BiFunction<ConnectionId, QueuePairOptions, QueuePair> newQueuePair,
            Memory... parts) {
        this.id = id;
        this.purposes = purposes.getEnumConstants();
        this.completed = new int[this.purposes.length];
        this.awaited = new int[this.purposes.length];
        try {
            CompletionChannel channel = waits.channel ? owned.add(id.context().createCompletionChannel()) : null;
            CompletionQueue cq = owned.add(id.context().createCompletionQueue(sizes.completions, channel));
            Waiting waiting = owned.add(waits.waiting.apply(cq));
            for (Memory part : parts) {
                memory.add(owned.add(id.protectionDomain().allocate(part.bytes, part.access)));
            }
            QueuePairOptions options = QueuePairOptions.rc(cq)
                    .sendRequests(sizes.sends)
                    .receiveRequests(sizes.receives)
                    .scatterGather(1, 1);
            qp = owned.add(newQueuePair.apply(id, options));
            loop = new CompletionLoop(
                    cq, waiting, waits.peer, waits.timeout, this::onSuccess, wrId -> name(purpose(wrId)));
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
    }

    /// A queue pair of the connection manager.
    protected static QueuePair createQueuePair(ConnectionId id, QueuePairOptions options) {
        return id.createQueuePair(id.protectionDomain(), options);
    }

    /// A request completed.
    protected abstract void onCompleted(P purpose, WorkCompletion completion);

    /// The name of a request in errors.
    protected String name(P purpose) {
        return purpose.toString();
    }

    private void onSuccess(WorkCompletion completion) {
        P purpose = purpose(completion.wrId());
        completed[purpose.ordinal()]++;
        onCompleted(purpose, completion);
    }

    private P purpose(long wrId) {
        return purposes[(int) wrId & (1 << PURPOSE_BITS) - 1];
    }

    /// The number of a request.
    public static long wrId(Enum<?> purpose) {
        return wrId(purpose, 0);
    }

    /// The number of a request, with a number of the program.
    public static long wrId(Enum<?> purpose, long rest) {
        return rest << PURPOSE_BITS | purpose.ordinal();
    }

    /// The program's part of a request's number.
    public static long rest(long wrId) {
        return wrId >>> PURPOSE_BITS;
    }

    public final ConnectionId id() {
        return id;
    }

    public final QueuePair qp() {
        return qp;
    }

    public final CompletionLoop loop() {
        return loop;
    }

    /// The part of that number.
    public final MemoryRegion memory(int part) {
        return memory.get(part);
    }

    /// A signaled request.
    public final SendRequest newRequest(P purpose) {
        return qp.newSendRequest().wrId(wrId(purpose)).signaled();
    }

    /// Posts, and waits before it while the send queue is full.
    public final void post(SendRequest request) {
        loop.await(() -> qp.post(request), "room in the send queue");
    }

    /// Waits for one more completion; `what` names what the peer should do, for errors.
    public final void await(P purpose, String what) {
        await(isCompletedOnceMore(purpose), what);
    }

    /// As [#await(Enum, String)] with another timeout; zero: for ever.
    public final void await(P purpose, String what, Duration timeout) {
        loop.await(isCompletedOnceMore(purpose), what, timeout);
        requireRight();
    }

    private BooleanSupplier isCompletedOnceMore(P purpose) {
        int wanted = ++awaited[purpose.ordinal()];
        return () -> isWrong() || completed[purpose.ordinal()] - wanted >= 0;
    }

    /// @param isThere also true when [#isWrong]
    public final void await(BooleanSupplier isThere, String what) {
        loop.await(isThere, what);
        requireRight();
    }

    /// The peer sent something that this program does not know: the next wait ends with this error.
    public final void wrong(String what) {
        wrong = wrong == null ? what : wrong;
    }

    public final boolean isWrong() {
        return wrong != null;
    }

    private void requireRight() {
        if (isWrong()) {
            throw new ProgramException(wrong);
        }
    }

    /// The caller closes the id.
    @Override
    public void close() {
        owned.close();
    }
}
