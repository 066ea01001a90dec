package io.verbena.endpoint;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;

/// Turns the completions of one completion queue into messages, credits and finished requests of its connections.
///
/// One thread owns the hub at a time: the one that polls. Ownership is taken by a try, never waited for. Threads that
/// do not get it leave a task for the owner, who executes it before it is done owning. So a thread that waits for a
/// message polls by itself while nobody else does, and needs no other thread.
///
/// Threads that wait poll for a while ([HubSpin]), and then sleep ([HubSleep]).
final class Hub {
    private static final VarHandle OWNED;

    private static final int BATCH = 32;

    static {
        try {
            OWNED = MethodHandles.lookup().findVarHandle(Hub.class, "owned", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CompletionQueue cq;
    private final WorkCompletionHandler onCompletion = this::dispatch;
    private final ConcurrentHashMap<Integer, Target> connections = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final HubSpin spin;
    private final HubSleep sleep;

    private volatile int owned;
    private volatile boolean hasTasks;

    /// The connection of the last completion, most probably that of the next. Of the owner.
    private Target last;

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
        this.spin = new HubSpin(this, new Patience(spin.toNanos()));
        this.sleep = new HubSleep(this, cq, channel, waitersSleepAtChannel, threads);
    }

    void orphans(IntConsumer buffers) {
        orphans = buffers;
    }

    /// Who gets the completions of a queue pair. Called by the owner of the hub.
    interface Target {
        int qpNumber();

        void onCompletion(WorkCompletion completion);

        void fail(RuntimeException reason);
    }

    void add(Target target) {
        connections.put(target.qpNumber(), target);
    }

    /// A connection is ready, and takes what came before.
    void replace(EarlyCompletions early, ConnectionLink by) {
        leave(() -> {
            last = null;
            connections.put(by.qpNumber(), by.arrivals());
            early.passTo(by);
        });
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
                // The thread that executes the task has nothing to do with it. Once the queue is closed, tasks that
                // poll it fail, and nobody is left who needs them.
                if (!closed) {
                    EndpointEvents.failed("a task of an endpoint", e);
                }
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
        if (closed || !tryOwn()) {
            return;
        }
        try {
            if (!closed && sleep.mayPoll()) {
                if (!sleep.hasHandlers()) { // where there are, their thread polls until a thread of the program waits
                    spin.countTurn();
                }
                poll();
            }
        } catch (RdmaException e) {
            if (!closed) { // else the queue was closed meanwhile
                throw e;
            }
        } finally {
            disown();
        }
    }

    /// Of the owner.
    void pollAll() {
        while (poll() == BATCH) {}
    }

    boolean isOwned() {
        return owned != 0;
    }

    private void dispatch(WorkCompletion completion) {
        int number = completion.qpNumber();
        Target connection = last;
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

    /// The thread that executes a handler of the program; null for none. Of the owner. Other threads only ask whether
    /// it is them, and may see an old one, which they are not.
    private Thread handling;

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

    /// How threads poll again and again.
    HubSpin spin() {
        return spin;
    }

    /// How threads sleep.
    HubSleep sleep() {
        return sleep;
    }

    /// Executes what others left meanwhile. Of the owner.
    void executeLeft() {
        if (hasTasks) {
            executeTasks();
        }
    }

    /// Whether it is closed, or about to be.
    boolean isClosed() {
        return closed;
    }

    /// Ends the hub's thread. The channel is to be closed then, and [HubSleep#awaitEnd] to be called.
    void close() {
        closed = true;
        sleep.wakeForEnd();
    }
}
