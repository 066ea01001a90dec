package io.verbena.soft.cq;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.local.QueueSlot;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.wait.Waiter;
import io.verbena.verbs.CompletionHandler;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.spi.ResourceTree;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/// A completion queue of the software device. Polling an empty queue runs the device's duty cycle, so a program
/// that polls needs no other thread.
public final class SoftCompletionQueue implements CompletionQueue {
    private static final VarHandle ARMED;

    static {
        try {
            ARMED = MethodHandles.lookup().findVarHandle(SoftCompletionQueue.class, "armed", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final String CREATE = "create completion queue";
    private static final int NOT_ARMED = 0;
    private static final int SOLICITED = 1;
    private static final int ANY = 2;

    /// Empty polls of local lanes after which a poll runs the engine, where other queue pairs use the network, and
    /// where none does.
    private static final int ENGINE_EVERY = 64;

    private static final int SELDOM = 1 << 20;

    private static final int MOST_BURST = 64;

    private final QueueContext context;
    private final SoftCompletionChannel channel;
    /// Another one after a change of size, which producers and pollers both wait for.
    private volatile CompletionRing ring;

    private final CompletionView view = new CompletionView();
    private final BiasedLock pollLock = new BiasedLock();
    private final ResourceTree users = new ResourceTree();
    private volatile int armed;
    /// Whoever closes second returns when the first one is through.
    private final ReentrantLock closing = new ReentrantLock();

    private volatile boolean closed;
    private boolean overrun;
    /// The local connections that report here; null while there are none.
    private volatile QueueLanes lanes;

    /// Queue pairs that report here and whose packets go over the network. Counted by the engine's owner.
    private volatile int networkUsers;

    /// Of the poller.
    private int idlePolls;

    private int first;
    /// Completions taken from the lanes in one call, for now: a program that gets one message at a time has it at once,
    /// without a look for a second one, and a stream is taken in batches.
    private int burst = 1;

    public SoftCompletionQueue(QueueContext context, int entries, SoftCompletionChannel channel) {
        requireEntries(CREATE, entries);
        this.context = context;
        this.channel = channel;
        this.ring = new CompletionRing(entries, channel != null);
        context.device().completionQueues().take(CREATE);
        if (channel != null && !channel.attach(this)) {
            context.device().completionQueues().giveBack();
            throw new RdmaException(CREATE, Errno.EINVAL, "the completion channel is closed");
        }
    }

    /// Queue pairs that report here keep the queue open.
    public ResourceTree users() {
        return users;
    }

    /// Adds a completion; only the engine's owner calls this. False when the queue is full: the completion is lost,
    /// the queue is broken (rule CQ-10), and the caller must put its queue pair into the error state.
    public boolean complete(
            CompletionSource owner,
            long wrId,
            CompletionStatus status,
            CompletionOpcode opcode,
            int qpNumber,
            long length,
            boolean hasImmediate,
            int immediate,
            boolean solicited) {
        long kind = CompletionView.kind(status, opcode, hasImmediate ? CompletionView.IMMEDIATE : 0, 0);
        long numbers = CompletionView.numbers(qpNumber, 0);
        return offer(owner, wrId, kind, length, numbers, immediate, solicited || status != CompletionStatus.SUCCESS);
    }

    /// As [#complete], for a SEND that was received and revoked a key: it tells which.
    public boolean completeInvalidating(
            CompletionSource owner, long wrId, int qpNumber, long length, int rkey, boolean solicited) {
        long kind =
                CompletionView.kind(CompletionStatus.SUCCESS, CompletionOpcode.RECEIVE, CompletionView.INVALIDATED, 0);
        return offer(owner, wrId, kind, length, CompletionView.numbers(qpNumber, 0), rkey, solicited);
    }

    /// As [#complete], for a datagram that was received: it tells its sender.
    public boolean completeDatagram(
            CompletionSource owner,
            long wrId,
            int qpNumber,
            int sourceQp,
            long length,
            boolean hasImmediate,
            int immediate,
            boolean solicited) {
        int flags = CompletionView.GRH | (hasImmediate ? CompletionView.IMMEDIATE : 0);
        long kind = CompletionView.kind(CompletionStatus.SUCCESS, CompletionOpcode.RECEIVE, flags, 0);
        long numbers = CompletionView.numbers(qpNumber, sourceQp);
        return offer(owner, wrId, kind, length, numbers, immediate, solicited);
    }

    private boolean offer(
            CompletionSource owner,
            long wrId,
            long kind,
            long length,
            long numbers,
            long immediate,
            boolean solicited) {
        return onOffered(ring.offer(owner, wrId, kind, length, numbers, immediate), solicited);
    }

    /// As [#complete], for what a local connection made.
    public boolean queue(CompletionSource owner, CompletionView made) {
        return onOffered(made.offerTo(ring, owner), made.isSolicited());
    }

    private boolean onOffered(boolean kept, boolean solicited) {
        if (!kept) {
            context.engine().counters().increment(Counter.COMPLETIONS_LOST);
            if (!overrun) {
                overrun = true;
                context.asyncEvents().raise(AsyncEventType.CQ_ERROR, this);
            }
            return false;
        }
        if (channel != null && armed != NOT_ARMED) {
            fire(solicited);
        }
        return true;
    }

    private void fire(boolean solicited) {
        int was = armed;
        while (was == ANY || was == SOLICITED && solicited) {
            if (ARMED.compareAndSet(this, was, NOT_ARMED)) {
                if (channel != null) {
                    channel.onEvent(this);
                }
                return;
            }
            was = armed;
        }
    }

    @Override
    public QueueContext context() {
        return context;
    }

    @Override
    public SoftCompletionChannel channel() {
        return channel;
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public int poll(CompletionHandler handler, int limit) {
        Objects.requireNonNull(handler, "handler");
        if (closed) {
            throw new RdmaException("poll completion queue", Errno.EBADF, "the queue is closed");
        }
        QueueLanes local = lanes;
        if (local != null) {
            return poll(local, handler, limit);
        }
        int n = takeQueued(handler, limit);
        if (n == 0) {
            context.engine().poll(false);
            n = takeQueued(handler, limit);
        }
        return n;
    }

    /// Takes what is queued first, then straight from the lanes. The engine is run only now and then: the device's own
    /// thread looks at the network.
    private int poll(QueueLanes local, CompletionHandler handler, int limit) {
        boolean news = local.onPolled();
        int n = 0;
        pollLock.lock();
        try {
            while (n < limit && ring.take(view)) {
                n++;
                handler.onCompletion(view);
            }
            if (armed == NOT_ARMED) {
                int taken = takeDirectly(local.active(), handler, Math.min(limit - n, burst));
                burst = taken == 0 ? 1 : taken == burst ? Math.min(2 * burst, MOST_BURST) : burst;
                n += taken;
            }
        } finally {
            pollLock.unlock();
            if (closed) {
                discard();
            }
        }
        return n > 0 ? n : pollEngine(local, news, handler, limit);
    }

    private int pollEngine(QueueLanes local, boolean news, CompletionHandler handler, int limit) {
        if (news || armed != NOT_ARMED || ++idlePolls >= engineEvery(local)) {
            idlePolls = 0;
            context.engine().poll(false);
        }
        // Looking into the lanes may have run the engine as well.
        return takeQueued(handler, limit);
    }

    private int engineEvery(QueueLanes local) {
        return local.isEmpty() ? 1 : networkUsers > 0 ? ENGINE_EVERY : SELDOM;
    }

    private int takeDirectly(CompletionProducer[] producers, CompletionHandler handler, int limit) {
        int n = 0;
        int at = first;
        for (int i = 0; i < producers.length && n < limit; i++) {
            at = at < producers.length ? at : 0;
            CompletionProducer producer = producers[at];
            while (n < limit && producer.next(view, this, true)) {
                n++;
                handler.onCompletion(view);
            }
            at++;
        }
        // Those behind the last one come first the next time, so that no stream starves the others.
        first = at;
        return n;
    }

    /// Whether completions wait in the queue. From any thread.
    public boolean hasQueued() {
        return !ring.isEmpty();
    }

    /// Whether the next completion fires an event. From any thread.
    public boolean isArmed() {
        return armed != NOT_ARMED;
    }

    /// Neighbours do not ring for this queue any more: a thread that sleeps must not rely on it.
    void onWokenByPoll() {
        context.engine().driver().onQueuePolled();
    }

    // ---- what the engine's owner calls ----

    /// A local connection reports here from now on.
    public void add(CompletionProducer producer) {
        lanes().add(producer);
    }

    public void remove(CompletionProducer producer) {
        lanes.remove(producer);
    }

    /// Queues up to so many completions of a role that is about to end; how many there were.
    public int takeAll(CompletionProducer producer, int most) {
        return lanes.takeAll(producer, most);
    }

    /// Where neighbours see whether somebody looks at the lanes of this queue.
    public QueueSlot slot() {
        return lanes().slot();
    }

    private QueueLanes lanes() {
        if (lanes == null) {
            LocalDevice local = context.engine().local();
            lanes = new QueueLanes(this, local.newSlot());
            local.add(lanes);
        }
        return lanes;
    }

    /// A queue pair that reports here began or ceased to use the network.
    public void countNetworkUsers(int change) {
        networkUsers += change;
    }

    private int takeQueued(CompletionHandler handler, int limit) {
        if (ring.isEmpty()) {
            return 0;
        }
        pollLock.lock();
        try {
            int n = 0;
            while (n < limit && ring.take(view)) {
                n++;
                handler.onCompletion(view);
            }
            return n;
        } finally {
            pollLock.unlock();
            if (closed) {
                discard();
            }
        }
    }

    /// In a simulated fabric waiting moves the virtual clock.
    @Override
    public int poll(CompletionHandler handler, int count, Duration timeout) {
        var simulation = context.engine().simulation();
        if (simulation == null) {
            return CompletionQueue.super.poll(handler, count, timeout);
        }
        int[] done = {poll(handler, count)};
        simulation.runUntil(
                () -> done[0] >= count || (done[0] += takeQueued(handler, count - done[0])) >= count,
                Waiter.nanoseconds(timeout));
        return done[0];
    }

    @Override
    public void arm(boolean solicitedOnly) {
        if (!solicitedOnly) {
            armed = ANY;
        } else {
            // Asking for all events stays in force until one fires (rule EV-4).
            ARMED.compareAndSet(this, NOT_ARMED, SOLICITED);
        }
    }

    /// Pollers and the engine wait meanwhile, so that what is in the queue keeps its order. An armed queue
    /// stays armed: moved completions are not new ones.
    @Override
    public void resize(int entries) {
        String verb = "resize completion queue";
        pollLock.lock();
        try {
            if (closed) {
                throw new RdmaException(verb, Errno.EBADF, "the queue is closed");
            }
            requireEntries(verb, entries);
            context.engine().execute(() -> {
                if (entries < ring.size()) {
                    throw new RdmaException(
                            verb,
                            Errno.EINVAL,
                            "%d entries, but %d completions are in the queue; poll them first"
                                    .formatted(entries, ring.size()));
                }
                CompletionRing other = new CompletionRing(entries, channel != null);
                ring.moveTo(other);
                ring = other;
            });
        } finally {
            pollLock.unlock();
        }
    }

    private static void requireEntries(String verb, int entries) {
        if (entries < 1 || entries > SoftLimits.MAX_COMPLETION_ENTRIES) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    entries + " entries; the device takes 1 to " + SoftLimits.MAX_COMPLETION_ENTRIES);
        }
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closing.lock();
        try {
            if (!closed) {
                users.seal("close completion queue");
                closed = true;
                letGo();
            }
        } finally {
            closing.unlock();
        }
    }

    /// Completions that nobody polled are taken: a shared receive queue lives on and wants its places back. Who polls
    /// just now does it on leaving, so that nobody waits for a handler.
    private void discard() {
        if (pollLock.tryLock()) {
            try {
                CompletionView unseen = new CompletionView();
                boolean more = true;
                while (more) {
                    more = ring.take(unseen);
                }
            } finally {
                pollLock.unlock();
            }
        }
    }

    private void letGo() {
        discard();
        if (lanes != null) {
            context.engine().execute(() -> context.engine().local().remove(lanes));
        }
        context.device().completionQueues().giveBack();
        if (channel != null) {
            channel.detach(this);
        }
        context.asyncEvents().forget(this);
        context.forget(this);
    }

    @Override
    public String toString() {
        return "completion queue (" + capacity() + " entries)";
    }
}
