package io.verbena.endpoint;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/// Turns the completions of one completion queue into messages, credits and finished requests of its connections.
///
/// One thread owns the hub at a time: the one that polls. Ownership is taken by a try, never waited for. Threads that
/// do
/// not get it leave a task for the owner, who executes it before it is done owning. So a thread that waits for a
/// message
/// polls by itself while nobody else does, and needs no other thread.
///
/// When threads sleep, one of them, the *sleeper*, arms the queue and waits at the completion channel. It is a waiting
/// thread itself where one connection has the hub. Otherwise it is the hub's own thread, which is started when it is
/// first needed and is parked while no thread waits.
final class Hub {
    private static final VarHandle OWNED;
    private static final VarHandle SLEEPER;

    private static final int BATCH = 32;
    private static final int POLLS_PER_CLOCK = 16;
    private static final long BESIDE_SPINNER_NS = 1_000_000;
    private static final Source NOTHING = () -> null;
    private static final Duration LONG_SLEEP = Duration.ofHours(1);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    static {
        try {
            OWNED = MethodHandles.lookup().findVarHandle(Hub.class, "owned", int.class);
            SLEEPER = MethodHandles.lookup().findVarHandle(Hub.class, "sleeper", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final boolean waitersSleepAtChannel;
    private final long spinNs;
    private final WorkCompletionHandler onCompletion = this::dispatch;
    private final ConcurrentHashMap<Integer, ConnectionLink> connections = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Runnable pollTask = this::pollAll;

    private volatile int owned;
    private volatile boolean hasTasks;

    /// The connection of the last completion, most probably that of the next. Of the owner.
    private ConnectionLink last;

    /// The thread that waits at the channel, or is about to.
    private volatile Thread sleeper;

    /// How many threads and callbacks wait for what the hub brings.
    private final AtomicInteger waiting = new AtomicInteger();

    /// How many connections have handlers, which the hub's thread calls.
    private final AtomicInteger spinning = new AtomicInteger();

    private final ThreadStarter threads;

    /// Guarded by this.
    private boolean isStarted;

    /// Null until it runs.
    private volatile Thread thread;

    /// Takes the receive buffers of connections that are gone; null where each connection has its own.
    private volatile IntConsumer orphans;

    private volatile boolean closed;

    /// @param waitersSleepAtChannel whether threads of the program may wait at the channel themselves: only where all
    ///     they wait for comes with a completion
    Hub(
            CompletionQueue cq,
            CompletionChannel channel,
            boolean waitersSleepAtChannel,
            Duration spin,
            ThreadStarter threads) {
        this.cq = cq;
        this.channel = channel;
        this.waitersSleepAtChannel = waitersSleepAtChannel;
        this.spinNs = spin.toNanos();
        this.threads = threads;
    }

    void orphans(IntConsumer buffers) {
        orphans = buffers;
    }

    void add(int qpNumber, ConnectionLink connection) {
        connections.put(qpNumber, connection);
    }

    void remove(int qpNumber) {
        connections.remove(qpNumber);
        leave(() -> last = null);
    }

    // ---- ownership ----

    boolean tryOwn() {
        return owned == 0 && OWNED.compareAndSet(this, 0, 1);
    }

    /// Ends the ownership, after what others left was executed. A task that is left right after the look is seen either
    /// here or by the thread that left it, which tries to own the hub then: see [#leave].
    void disown() {
        OWNED.setVolatile(this, 0);
        while (hasTasks && tryOwn()) {
            try {
                executeTasks();
            } finally {
                OWNED.setVolatile(this, 0);
            }
        }
    }

    /// Executes a task as the owner: now, or by the thread that is the owner now.
    void leave(Runnable task) {
        tasks.add(task);
        hasTasks = true;
        if (tryOwn()) {
            disown();
        }
    }

    private void executeTasks() {
        hasTasks = false;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (Throwable e) {
                // The thread that executes the task has nothing to do with it.
                EndpointEvents.failed("a task of an endpoint", e);
            }
        }
    }

    // ---- the work of the owner ----

    /// Takes completions that are there. Of the owner.
    int poll() {
        return cq.poll(onCompletion, BATCH);
    }

    /// Takes completions that are there, unless another thread does so.
    void progress() {
        if (tryOwn()) {
            try {
                if (mayPoll()) {
                    poll();
                }
            } finally {
                disown();
            }
        }
    }

    /// Of the owner.
    void pollAll() {
        while (poll() == BATCH) {}
    }

    /// Whether the calling thread may poll: not while a thread sleeps at the channel that nothing but an event of the
    /// channel wakes.
    private boolean mayPoll() {
        Thread sleeping = sleeper;
        return sleeping == null || sleeping == thread || sleeping == Thread.currentThread();
    }

    private void dispatch(WorkCompletion completion) {
        int number = completion.qpNumber();
        ConnectionLink connection = last;
        if (connection == null || connection.qpNumber() != number) {
            connection = connections.get(number);
            last = connection;
        }
        if (connection != null) {
            try {
                connection.onCompletion(completion);
            } catch (Throwable e) {
                // The thread that polls may wait for another connection.
                connection.fail(EndpointEvents.asRuntimeException(e));
            }
        } else if (completion.wrId() < 0 && orphans != null) {
            orphans.accept((int) completion.wrId());
        }
    }

    // ---- handlers ----

    /// The thread that executes a handler of the program; null for none. Of the owner, and read by any thread.
    private volatile Thread handling;

    /// The calling thread, which is the owner, executes a handler. Returns what [#endHandler] needs.
    Thread beginHandler() {
        Thread before = handling;
        handling = Thread.currentThread();
        return before;
    }

    /// Whether the calling thread executes a handler.
    boolean isHandling() {
        return handling == Thread.currentThread();
    }

    void endHandler(Thread before) {
        handling = before;
    }

    // ---- waiting ----

    /// Something to be had, which the owner of a hub asks for.
    interface Source {
        /// What is there; null for nothing. Of the owner.
        Object tryTake();
    }

    /// Polls as the owner, for a platform thread again and again until the spin time is over. Null when the hub is not
    /// free, or when what is waited for did not come.
    Object spin(Source source, long longestNs) {
        if (!tryOwn()) {
            return null;
        }
        try {
            return spinAsOwner(source, longestNs);
        } finally {
            disown();
        }
    }

    private Object spinAsOwner(Source source, long longestNs) {
        Object taken = source.tryTake();
        if (taken != null) {
            return taken;
        }
        long mostNs = Thread.currentThread().isVirtual() ? 0 : Math.min(longestNs, spinNs);
        long startNs = 0;
        for (int polls = 0; mayPoll(); polls++) {
            boolean came = poll() > 0;
            if (hasTasks) {
                executeTasks();
            }
            if (came) {
                taken = source.tryTake();
                if (taken != null) {
                    return taken;
                }
            }
            if (mostNs == 0 || closed) {
                break;
            }
            if (polls % POLLS_PER_CLOCK == 0) {
                long nowNs = System.nanoTime();
                startNs = polls == 0 ? nowNs : startNs;
                if (nowNs - startNs >= mostNs) {
                    break;
                }
            }
            if (!came) {
                Thread.onSpinWait();
            }
        }
        return source.tryTake();
    }

    /// Waits without spinning. False when the time is over.
    ///
    /// @param waiter a new one
    /// @throws RdmaException `EINTR` when the thread is interrupted
    boolean sleep(Waiter waiter, long timeoutNs) {
        Thread me = Thread.currentThread();
        if (handling == me) {
            throw new RdmaException(
                    "wait",
                    Errno.EAGAIN,
                    "a handler must not wait, because nothing comes meanwhile; use trySend and onWritable, callAsync and"
                            + " onDone");
        }
        waiter.waitIn(me);
        waiting.getAndIncrement();
        try {
            if (waitersSleepAtChannel && !me.isVirtual() && becomeSleeper(me)) {
                return sleepAtChannel(waiter, timeoutNs);
            }
            leave(() -> {
                if (!waiter.tryFinish()) {
                    waiter.enlist();
                }
            });
            wakeThread();
            return park(waiter, timeoutNs);
        } finally {
            waiting.getAndDecrement();
            if (sleeper == me) {
                sleeper = null;
                wakeThread();
            }
        }
    }

    /// As the owner, so that no other thread polls once this one is the sleeper.
    private boolean becomeSleeper(Thread me) {
        if (sleeper != null || !tryOwn()) {
            return false;
        }
        try {
            return SLEEPER.compareAndSet(this, null, me);
        } finally {
            disown();
        }
    }

    private boolean sleepAtChannel(Waiter waiter, long timeoutNs) {
        long startNs = System.nanoTime();
        boolean timeIsOver = false;
        while (true) {
            own();
            try {
                cq.arm();
                pollAll();
                if (waiter.tryTake() != null) {
                    return true;
                }
            } finally {
                disown();
            }
            long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (timeIsOver || leftNs <= 0) {
                return false;
            }
            // With a virtual clock, only the channel knows that the time is over.
            timeIsOver = channel.await(Duration.ofNanos(leftNs)) == null;
        }
    }

    /// Other threads own the hub for a moment only while this one is the sleeper.
    private void own() {
        while (!tryOwn()) {
            Thread.onSpinWait();
        }
    }

    private static boolean park(Waiter waiter, long timeoutNs) {
        long startNs = System.nanoTime();
        while (!waiter.isDone()) {
            long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (leftNs <= 0) {
                return !waiter.cancel();
            }
            if (Thread.interrupted()) {
                if (waiter.cancel()) {
                    throw new RdmaException("wait", Errno.EINTR, "the waiting thread was interrupted");
                }
                Thread.currentThread().interrupt(); // it came at the same moment; the next wait reports the interrupt
                return true;
            }
            LockSupport.parkNanos(waiter, leftNs);
        }
        return true;
    }

    // ---- the thread of the hub ----

    /// From now on until [#unwatch], completions are handled also when no thread waits.
    void watch() {
        waiting.getAndIncrement();
        wakeThread();
    }

    void unwatch() {
        waiting.getAndDecrement();
    }

    /// As [#watch], by a thread that polls before it sleeps.
    void watchSpinning() {
        spinning.getAndIncrement();
        watch();
    }

    void unwatchSpinning() {
        spinning.getAndDecrement();
        unwatch();
    }

    /// Somebody waits, and no thread is at the channel.
    private void wakeThread() {
        if (waiting.get() > 0 && sleeper == null && !closed) {
            Thread running = thread;
            if (running == null) {
                startThread();
            } else {
                LockSupport.unpark(running);
            }
        }
    }

    /// A thread that was started before sees that somebody waits.
    private void startThread() {
        synchronized (this) {
            if (isStarted) {
                LockSupport.unpark(thread);
                return;
            }
            isStarted = true;
        }
        threads.start(Thread.ofPlatform().daemon().name("verbena-endpoint-" + NUMBERS.incrementAndGet()), this::run);
    }

    private void run() {
        Thread me = Thread.currentThread();
        thread = me;
        while (!closed) {
            if (waiting.get() > 0 && SLEEPER.compareAndSet(this, null, me)) {
                try {
                    watchChannel();
                } catch (RuntimeException e) {
                    if (!closed) {
                        Thread.interrupted(); // by a handler of the program; this thread has to go on
                        EndpointEvents.failed("the thread of an endpoint", e);
                    }
                } finally {
                    sleeper = null;
                }
            } else {
                LockSupport.park(this);
            }
        }
    }

    private void watchChannel() {
        while (waiting.get() > 0 && !closed) {
            if (spinning.get() > 0) {
                spin(NOTHING, spinNs);
            }
            cq.arm();
            leave(pollTask);
            channel.await(LONG_SLEEP);
            if (owned != 0) {
                // A thread that spins handles everything. Each completion would wake this one as well.
                LockSupport.parkNanos(this, BESIDE_SPINNER_NS);
            }
        }
    }

    /// Ends the hub's thread. The channel is to be closed then.
    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
