package io.verbena.endpoint;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// How the threads of a hub sleep. One of them, the *sleeper*, arms the completion queue and waits at the completion
/// channel. It is a waiting thread itself where one connection has the hub. Otherwise it is the hub's own thread, which
/// is started when it is first needed and is parked while no thread waits.
///
/// The hub's thread stays away from the channel while a thread of the program polls: that thread handles everything,
/// and each completion would wake both.
final class HubSleep {
    private static final VarHandle SLEEPER;

    /// How long the hub's thread stays away: while no thread sleeps, while some do, and while there are handlers. Those
    /// would have to wait if the thread that polls goes away.
    private static final long BESIDE_POLLER_NS = 1_000_000;

    private static final long BESIDE_POLLER_FOR_OTHERS_NS = 200_000;
    private static final long BESIDE_POLLER_FOR_HANDLERS_NS = 50_000;
    private static final Duration LONG_SLEEP = Duration.ofHours(1);
    private static final Duration LONGEST_END = Duration.ofSeconds(1);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    static {
        try {
            SLEEPER = MethodHandles.lookup().findVarHandle(HubSleep.class, "sleeper", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Hub hub;
    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final boolean waitersSleepAtChannel;
    private final ThreadStarter threads;
    private final Runnable pollTask;

    /// The thread that waits at the channel, or is about to.
    private volatile Thread sleeper;

    /// How many threads, callbacks and servers wait for what the hub brings.
    private final AtomicInteger waiting = new AtomicInteger();

    /// How many of them are threads that sleep.
    private final AtomicInteger asleep = new AtomicInteger();

    /// How many connections have handlers, which the hub's thread calls.
    private final AtomicInteger spinning = new AtomicInteger();

    /// Whether a thread has gone to sleep since the hub's thread looked.
    private volatile boolean wentToSleep;

    /// Whether the hub's thread stays away from the channel for a moment.
    private volatile boolean isAway;

    /// [HubSpin#turns] when the hub's thread asked last.
    private int seenTurns;

    /// Guarded by this.
    private boolean isStarted;

    /// Null until it runs.
    private volatile Thread thread;

    /// @param waitersSleepAtChannel whether threads of the program may wait at the channel themselves: only where all
    ///     they wait for comes with a completion
    HubSleep(
            Hub hub,
            CompletionQueue cq,
            CompletionChannel channel,
            boolean waitersSleepAtChannel,
            ThreadStarter threads) {
        this.hub = hub;
        this.cq = cq;
        this.channel = channel;
        this.waitersSleepAtChannel = waitersSleepAtChannel;
        this.threads = threads;
        this.pollTask = hub::pollAll;
    }

    /// Whether the calling thread may poll: not while a thread sleeps at the channel that nothing but an event of the
    /// channel wakes.
    boolean mayPoll() {
        Thread sleeping = sleeper;
        return sleeping == null || sleeping == thread || sleeping == Thread.currentThread();
    }

    // ---- threads that wait ----

    /// Waits without spinning. False when the time is over.
    ///
    /// @param waiter a new one
    /// @throws RdmaException `EINTR` when the thread is interrupted
    boolean sleep(Waiter waiter, long timeoutNs) {
        Thread me = Thread.currentThread();
        requireNoHandler();
        waiter.waitIn(me);
        long startNs = System.nanoTime();
        waiting.getAndIncrement();
        asleep.getAndIncrement();
        try {
            if (waitersSleepAtChannel && !me.isVirtual() && becomeSleeper(me)) {
                return sleepAtChannel(waiter, timeoutNs);
            }
            hub.leave(() -> {
                if (!waiter.tryFinish()) {
                    waiter.enlist();
                }
            });
            if (spinEnlisted(waiter, timeoutNs)) {
                return true;
            }
            // A thread that owns the hub just now polls for this one, too.
            if (!hub.spin().isActive()) {
                wentToSleep = true;
            }
            wakeThread();
            return park(waiter, timeoutNs - (System.nanoTime() - startNs));
        } finally {
            hub.spin().onSlept(System.nanoTime() - startNs);
            asleep.getAndDecrement();
            waiting.getAndDecrement();
            if (sleeper == me) {
                sleeper = null;
                wakeThread();
            }
        }
    }

    private boolean spinEnlisted(Waiter waiter, long timeoutNs) {
        try {
            return hub.spin().spinEnlisted(waiter, timeoutNs);
        } catch (RuntimeException e) { // of the poll
            if (waiter.cancel()) {
                throw e;
            }
            keepInterrupt(e);
            return true;
        }
    }

    /// What was waited for came at the same moment as the interrupt: the next wait reports it.
    static void keepInterrupt(RuntimeException e) {
        if (e instanceof RdmaException problem && problem.errno() == Errno.EINTR) {
            Thread.currentThread().interrupt();
        }
    }

    /// Fails in a thread that executes a handler.
    void requireNoHandler() {
        if (hub.isHandling()) {
            throw new RdmaException(
                    "wait",
                    Errno.EAGAIN,
                    "a handler must not wait, because nothing comes meanwhile; use trySend and onWritable, callAsync and"
                            + " onDone");
        }
    }

    /// As the owner, so that no other thread polls once this one is the sleeper.
    private boolean becomeSleeper(Thread me) {
        if (sleeper != null || !hub.tryOwn()) {
            return false;
        }
        try {
            return SLEEPER.compareAndSet(this, null, me);
        } finally {
            hub.disown();
        }
    }

    private boolean sleepAtChannel(Waiter waiter, long timeoutNs) {
        long startNs = System.nanoTime();
        boolean timeIsOver = false;
        while (true) {
            own();
            try {
                cq.arm();
                hub.pollAll();
                if (waiter.tryTake() != null) {
                    return true;
                }
            } finally {
                hub.disown();
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
        while (!hub.tryOwn()) {
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

    boolean hasHandlers() {
        return spinning.get() > 0;
    }

    /// Somebody waits, and no thread is at the channel.
    private void wakeThread() {
        if (waiting.get() > 0 && (sleeper == null || isAway) && !hub.isClosed()) {
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
        while (!hub.isClosed()) {
            if (waiting.get() > 0 && SLEEPER.compareAndSet(this, null, me)) {
                try {
                    watchChannel();
                } catch (RuntimeException e) {
                    if (!hub.isClosed()) {
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
        seenTurns = hub.spin().turns();
        while (waiting.get() > 0 && !hub.isClosed()) {
            boolean isPolled = isPolledByProgram();
            if (!isPolled || wentToSleep) {
                wentToSleep = false;
                isPolled = spinning.get() > 0 && hub.spin().spinForAll() | isPolledByProgram();
                if (!isPolled) {
                    sleepForAll();
                }
            }
            if (isPolled) {
                stayAway();
            }
        }
    }

    /// Whether a thread of the program polls, or did since this was asked last.
    private boolean isPolledByProgram() {
        boolean isOwned = hub.isOwned();
        int turns = hub.spin().turns();
        boolean hasChanged = turns != seenTurns;
        seenTurns = turns;
        return isOwned || hasChanged;
    }

    private void sleepForAll() {
        cq.arm();
        hub.leave(pollTask);
        long startNs = System.nanoTime();
        channel.await(LONG_SLEEP);
        seenTurns = hub.spin().turns(); // who polled meanwhile need not do so now
        if (spinning.get() > 0) {
            hub.spin().onSlept(System.nanoTime() - startNs);
        }
    }

    /// A thread that goes to sleep meanwhile ends this.
    private void stayAway() {
        isAway = true;
        if (!wentToSleep) {
            LockSupport.parkNanos(this, longestAwayNs());
        }
        isAway = false;
    }

    private long longestAwayNs() {
        if (spinning.get() > 0) {
            return BESIDE_POLLER_FOR_HANDLERS_NS;
        }
        return asleep.get() > 0 ? BESIDE_POLLER_FOR_OTHERS_NS : BESIDE_POLLER_NS;
    }

    void wakeForEnd() {
        LockSupport.unpark(thread);
    }

    /// Waits until the hub's thread has ended, which it does at once when the hub and the channel are closed, unless a
    /// handler of the program keeps it.
    void awaitEnd() {
        Thread running = thread;
        if (running == null || running == Thread.currentThread()) {
            return;
        }
        try {
            running.join(LONGEST_END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
