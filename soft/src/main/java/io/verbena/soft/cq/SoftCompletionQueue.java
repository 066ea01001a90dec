package io.verbena.soft.cq;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Engines;
import io.verbena.soft.event.SoftEvents;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.local.QueueSlot;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.FieldHandle;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.spi.ResourceTree;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/// A completion queue of the software device. Polling an empty queue runs the engine, so a program that polls needs no
/// other thread.
public final class SoftCompletionQueue implements CompletionQueue {
    private static final VarHandle ARMED = FieldHandle.of(MethodHandles.lookup(), "armed", int.class);

    private static final String CREATE = "create completion queue";
    private static final int NOT_ARMED = 0;
    private static final int SOLICITED = 1;
    private static final int ANY = 2;

    private static final int MOST_BURST = 64;

    private static final Engine[] NONE = {};

    private final QueueContext context;
    private final SoftCompletionChannel channel;

    /// The engines of its queue pairs: one, unless queue pairs have completion queues of different shards.
    private volatile Engine[] engines = NONE;

    /// For the owners of several engines; null while there is one.
    private volatile ReentrantLock producers;

    /// Replaced by [#resize], for which producers and pollers wait.
    private volatile CompletionRing ring;

    private final CompletionView view = new CompletionView();
    private final BiasedLock pollLock = new BiasedLock();
    private final ResourceTree users = new ResourceTree();
    /// Null in real time.
    private final VirtualPolling virtual;

    private volatile int armed;
    private volatile boolean closed;
    private boolean overrun;
    /// The lanes of local connections; null until there is one.
    private volatile QueueLanes lanes;

    private final EngineTurns turns = new EngineTurns();

    /// Used by the poller.
    private int first;
    /// The most completions taken from the lanes in one call. It adapts: a program that receives single messages gets
    /// each at once, without a search for a second one, and a stream is taken in batches.
    private int burst = 1;

    public SoftCompletionQueue(QueueContext context, int entries, SoftCompletionChannel channel) {
        requireEntries(CREATE, entries);
        this.context = context;
        this.channel = channel;
        Engine first = context.engines().first();
        this.virtual = first.simulation() == null ? null : new VirtualPolling(this, first.simulation(), first.clock());
        this.ring = new CompletionRing(entries, channel != null);
        context.device().completionQueues().take(CREATE);
        if (channel != null && !channel.attach(this)) {
            context.device().completionQueues().giveBack();
            throw new RdmaException(CREATE, Errno.EINVAL, "the completion channel is closed");
        }
        if (context.engines().isOne()) {
            addEngine(first);
        }
    }

    // ---- engines ----

    /// The engine for a queue pair with those completion queues. Both belong to it from now on, if they belonged to
    /// none.
    public static Engine engineOf(SoftCompletionQueue sends, SoftCompletionQueue receives) {
        Engines choice = sends.context.engines();
        synchronized (choice) {
            Engine engine = sends.present();
            engine = engine == null ? receives.present() : engine;
            engine = engine == null ? choice.next() : engine;
            sends.addEngine(engine);
            receives.addEngine(engine);
            return engine;
        }
    }

    /// The engine that it belongs to, or that of the other queues of its channel, because the same thread waits for
    /// them; null when there is none.
    private Engine present() {
        return engines.length > 0 ? engines[0] : channel == null ? null : channel.engine();
    }

    private void addEngine(Engine engine) {
        if (List.of(engines).contains(engine)) {
            return;
        }
        if (engines.length == 1) {
            // The owner of the first one must know before the other engine adds completions.
            engines[0].execute(() -> producers = new ReentrantLock());
        }
        Engine[] more = Arrays.copyOf(engines, engines.length + 1);
        more[engines.length] = engine;
        engines = more;
        if (channel != null) {
            channel.addEngine(engine);
        }
    }

    /// The engine whose local path knows this queue, once there is a queue pair.
    private Engine engine() {
        return engines[0];
    }

    /// Whether the local path of an engine can add completions.
    public boolean isServedBy(Engine engine) {
        return engines[0] == engine;
    }

    private void drive() {
        for (Engine engine : engines) {
            engine.poll(false);
        }
    }

    /// The queue pairs of this completion queue, which keep it open.
    public ResourceTree users() {
        return users;
    }

    /// Adds a completion; only the owner of one of its engines calls this. False when the queue is full: the completion
    /// is lost, the queue is broken (rule CQ-10), and the caller must put its queue pair into the error state.
    public boolean queue(CompletionSource owner, CompletionView made) {
        ReentrantLock several = producers;
        if (several == null) {
            return add(owner, made);
        }
        several.lock();
        try {
            return add(owner, made);
        } finally {
            several.unlock();
        }
    }

    private boolean add(CompletionSource owner, CompletionView made) {
        if (!made.offerTo(ring, owner)) {
            engines[0].counters().incrementAtomically(Counter.COMPLETIONS_LOST);
            if (!overrun) {
                overrun = true;
                SoftEvents.limitReached("completion", "lost", "the completion queue is full", ring.capacity());
                context.asyncEvents().raise(AsyncEventType.CQ_ERROR, this);
            }
            return false;
        }
        if (channel != null && armed != NOT_ARMED) {
            fire(made.isSolicited());
        }
        return true;
    }

    private void fire(boolean solicited) {
        int was = armed;
        while (was == ANY || was == SOLICITED && solicited) {
            if (ARMED.compareAndSet(this, was, NOT_ARMED)) {
                channel.put(this);
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
    public int poll(WorkCompletionHandler handler, int limit) {
        Objects.requireNonNull(handler, "the completion handler is null");
        if (closed | limit < 0) {
            throw closed
                    ? new RdmaException("poll completion queue", Errno.EBADF, "the queue is closed")
                    : new RdmaException("poll completion queue", Errno.EINVAL, "the limit is " + limit);
        }
        QueueLanes local = lanes;
        if (local != null) {
            return poll(local, handler, limit);
        }
        int n = takeQueued(handler, limit);
        if (n == 0) {
            drive();
            n = takeQueued(handler, limit);
        }
        if (virtual != null) {
            virtual.onPolled(n);
        }
        return n;
    }

    /// Takes completions from the queue, then directly from the lanes. The engine is run only once in many polls: the
    /// device's thread polls the network.
    private int poll(QueueLanes local, WorkCompletionHandler handler, int limit) {
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

    private int pollEngine(QueueLanes local, boolean news, WorkCompletionHandler handler, int limit) {
        boolean run = news || armed != NOT_ARMED || local.isEmpty() || turns.isDue();
        if (run) {
            drive();
        }
        // Polling the lanes may have run the engine as well.
        int n = takeQueued(handler, limit);
        if (run) {
            turns.onRun(n > 0);
        }
        return n;
    }

    private int takeDirectly(CompletionProducer[] producers, WorkCompletionHandler handler, int limit) {
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
        // The next poll begins behind the last producer, so that no stream starves the others.
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

    /// Neighbours no longer ring the bell for this queue, so a sleeping thread must check it.
    void onWokenByPoll() {
        engine().driver().onQueuePolled();
    }

    // ---- what the engine's owner calls ----

    /// Adds a role of a local connection.
    public void add(CompletionProducer producer) {
        lanes().add(producer);
    }

    public void remove(CompletionProducer producer) {
        lanes.remove(producer);
    }

    /// Adds up to `most` completions of a role to the queue, before the role ends. Returns how many there were.
    public int takeAll(CompletionProducer producer, int most) {
        return lanes.takeAll(producer, most);
    }

    /// The slot of this queue in the device page.
    public QueueSlot slot() {
        return lanes().slot();
    }

    private QueueLanes lanes() {
        if (lanes == null) {
            LocalDevice local = engine().local();
            lanes = new QueueLanes(this, local.newSlot());
            local.add(lanes);
        }
        return lanes;
    }

    /// A queue pair of this completion queue began or ceased to use the network.
    public void countNetworkUsers(int change) {
        turns.countNetworkUsers(change);
    }

    /// A request of a queue pair of this completion queue goes over the network. From any thread.
    public void onNetworkPost() {
        turns.onPosted();
    }

    int takeQueued(WorkCompletionHandler handler, int limit) {
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
    public int poll(WorkCompletionHandler handler, int count, Duration timeout) {
        return virtual == null
                ? CompletionQueue.super.poll(handler, count, timeout)
                : virtual.poll(handler, count, timeout);
    }

    @Override
    public void arm(boolean solicitedOnly) {
        if (!solicitedOnly) {
            armed = ANY;
        } else {
            // Arming for all events stays in force until one fires (rule EV-4).
            ARMED.compareAndSet(this, NOT_ARMED, SOLICITED);
        }
    }

    /// Pollers and the engine wait meanwhile, so that completions keep their order. An armed queue stays armed: moved
    /// completions are not new.
    @Override
    public void resize(int entries) {
        String verb = "resize completion queue";
        pollLock.lock();
        try {
            if (closed) {
                throw new RdmaException(verb, Errno.EBADF, "the queue is closed");
            }
            requireEntries(verb, entries);
            synchronized (context.engines()) { // no engine is added meanwhile
                if (engines.length == 0) {
                    replaceRing(verb, entries);
                    return;
                }
            }
            engine().execute(() -> {
                queueFinished(entries);
                replaceRing(verb, entries);
            });
        } finally {
            pollLock.unlock();
        }
    }

    private void replaceRing(String verb, int entries) {
        ReentrantLock several = producers;
        if (several != null) {
            several.lock();
        }
        try {
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
        } finally {
            if (several != null) {
                several.unlock();
            }
        }
    }

    /// Before the queue shrinks: adds the completions of finished requests in lanes, because they count as completions
    /// in the queue.
    private void queueFinished(int entries) {
        boolean more = lanes != null && entries < ring.capacity();
        while (more && entries >= ring.size()) {
            more = lanes.progress(false) > 0;
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

    /// A second caller waits for the first.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        users.seal("close completion queue");
        closed = true;
        discard();
        if (lanes != null) {
            engine().execute(() -> engine().local().remove(lanes));
        }
        context.device().completionQueues().giveBack();
        if (channel != null) {
            channel.detach(this);
        }
        context.asyncEvents().forget(this);
        context.forget(this);
    }

    /// Drops completions that were not polled, which frees slots of shared receive queues. If a thread is polling, it
    /// does this when its poll ends, so that `close` need not wait for its handler.
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

    @Override
    public String toString() {
        return "completion queue (" + capacity() + " entries)";
    }
}
