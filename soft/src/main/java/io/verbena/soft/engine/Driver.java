package io.verbena.soft.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Who runs an engine. A program that polls or waits does it with its own thread: no hand-over, no third thread.
/// The device's own thread sees to it that packets are answered while the program does other things: it looks up
/// now and then whether anybody drives, and when nobody does it takes the engine and sleeps in the kernel until a
/// packet comes.
public final class Driver {
    private static final VarHandle PROGRAM_DRIVES;

    static {
        try {
            PROGRAM_DRIVES = MethodHandles.lookup().findVarHandle(Driver.class, "programDrives", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// For [#spin]: nobody said how long.
    public static final long USUAL_SPIN = -1;

    /// About what it takes to wake a thread that sleeps: who spins that long loses at most as much again as
    /// sleeping costs.
    private static final long SPIN_AT_SHARED_MEMORY_NS = 20_000;

    private static final boolean ALONE = Runtime.getRuntime().availableProcessors() == 1;

    private static final long PLACE_TAKEN_LOOK_NS = 20_000_000;

    /// A turn shorter than this was taken too early.
    private static final long SHORT_TURN_NS = 100_000_000;
    /// The longest sleep without looking at the state of the world.
    private static final long LONGEST_SLEEP_NS = 1_000_000_000;

    private static final long PAUSE_AFTER_FAULT_NS = 10_000_000;

    /// How often the device's thread looks whether its address and its wire are still there.
    private static final long WATCH_EVERY_NS = 2_000_000_000;

    private final Engine engine;
    private Runnable watch = () -> {};
    private long watchAtNs;
    private final SleepProtocol protocol = new SleepProtocol();

    /// Changes whenever the program drives the engine; only read and written loosely.
    private volatile long programDrives;

    private volatile boolean stopped;
    private volatile long wakeAtNs;
    private volatile boolean inKernel;
    private volatile long spinNs = USUAL_SPIN;
    private final AtomicLong sleeps = new AtomicLong();
    private Thread thread;

    Driver(Engine engine) {
        this.engine = engine;
    }

    /// What the device's thread does besides, every few seconds and not as owner of the engine. Before [#start].
    public void watch(Runnable task) {
        watch = task;
    }

    public void start(String name) {
        watchAtNs = engine.nowNs() + WATCH_EVERY_NS;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
        thread.start();
    }

    /// Ends the device's thread and waits until it is gone; it never runs program code, so that is soon.
    public void stop() {
        stopped = true;
        if (thread == null || thread == Thread.currentThread()) {
            return;
        }
        wake();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(100);
                wake();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void wake() {
        LockSupport.unpark(thread);
        engine.wire().wakeup();
    }

    /// The program polls: whoever sleeps on the wire shall stop doing it, or every packet would wake that thread
    /// too.
    void onProgramDrives() {
        countDrive();
        if (engine.local() != null) {
            engine.local().wakeUp();
        }
        if (inKernel) {
            inKernel = false;
            engine.wire().wakeup();
        }
    }

    /// The program polls a queue of the local path that neighbours rang for: they do not any more. So whoever sleeps on
    /// the wire must look again soon, since the program may not come again.
    public void onQueuePolled() {
        if (inKernel) {
            engine.wire().wakeup();
        }
    }

    /// Nothing is ordered by it, so it costs no more than any other store.
    private void countDrive() {
        PROGRAM_DRIVES.setOpaque(this, (long) PROGRAM_DRIVES.getOpaque(this) + 1);
    }

    /// Changes whenever the program polls.
    public long programDrives() {
        return programDrives;
    }

    /// The engine's next deadline moved: nobody must sleep past it.
    void onDeadlineMoved(long nextDeadlineNs) {
        if (inKernel && nextDeadlineNs - wakeAtNs < 0) {
            engine.wire().wakeup();
        }
    }

    /// How long threads that wait spin before they sleep, in nanoseconds; [#USUAL_SPIN] for the usual.
    public void spin(long longestNs) {
        spinNs = longestNs;
    }

    /// How long a thread that waits for this engine spins before it sleeps. Where nobody said, a little at shared
    /// memory, where looking costs no system call and an answer takes less time than waking; not at the network, and
    /// not on a single processor, which the peer needs to answer.
    public long spinNs() {
        long saidNs = spinNs;
        return saidNs != USUAL_SPIN ? saidNs : engine.isLocalOnly() && !ALONE ? SPIN_AT_SHARED_MEMORY_NS : 0;
    }

    /// A thread that waits for this engine goes to sleep.
    public void onSleep() {
        sleeps.incrementAndGet();
    }

    /// How often threads that waited slept.
    public long sleeps() {
        return sleeps.get();
    }

    /// A program thread begins to wait for this engine.
    public void beginWait() {
        if (protocol.beginWait()) {
            engine.wire().wakeup();
        }
    }

    public void endWait() {
        protocol.endWait();
    }

    /// For a thread between [#beginWait] and [#endWait] that has nothing more to do: sleeps on the wire with `sleep` if
    /// that place is free, or will be in a moment; false when the thread must park.
    public boolean trySleep(Runnable sleep) {
        return switch (protocol.sleepOrPark()) {
            case SLEEP -> {
                try {
                    sleep.run();
                } finally {
                    leavePlace();
                }
                yield true;
            }
            case SPIN -> {
                Thread.onSpinWait();
                yield true;
            }
            case PARK -> false;
        };
    }

    private void leavePlace() {
        if (protocol.leave()) {
            LockSupport.unpark(thread);
        }
    }

    /// A program thread parks until signalled: meanwhile the device's thread drives.
    public void beginPark() {
        protocol.beginPark();
        LockSupport.unpark(thread);
    }

    public void endPark() {
        if (protocol.endPark()) {
            engine.wire().wakeup();
        }
    }

    private void run() {
        LookPace pace = new LookPace();
        long seen = programDrives;
        while (!stopped) {
            watchIfDue();
            long times = programDrives - seen;
            seen += times;
            SleepProtocol.Turn turn = protocol.turn(times != 0);
            switch (turn) {
                case REST -> LockSupport.parkNanos(this, pace.onDriven(times));
                case YIELD -> LockSupport.parkNanos(this, PLACE_TAKEN_LOOK_NS);
                case DRIVE, DRIVE_AS_ASKED -> {
                    long startNs = engine.nowNs();
                    drive();
                    pace.onTurn(turn == SleepProtocol.Turn.DRIVE && engine.nowNs() - startNs < SHORT_TURN_NS);
                }
            }
        }
    }

    private void drive() {
        try {
            driveUntilProgramDoes();
        } catch (RuntimeException | Error e) {
            // This thread is all that answers peers while the program sleeps: it must not end, nor take a whole
            // processor when the fault stays.
            engine.onDriverFault(e);
            LockSupport.parkNanos(this, PAUSE_AFTER_FAULT_NS);
        } finally {
            protocol.leave();
        }
    }

    private void watchIfDue() {
        long nowNs = engine.nowNs();
        if (nowNs - watchAtNs < 0) {
            return;
        }
        watchAtNs = nowNs + WATCH_EVERY_NS;
        try {
            watch.run();
        } catch (RuntimeException e) {
            engine.onDriverFault(e);
        }
    }

    private void driveUntilProgramDoes() {
        long seen = programDrives;
        while (!stopped && programDrives == seen && !protocol.shallLeave()) {
            if (engine.drive(true) == 0) {
                watchIfDue();
                if (engine.isOwned()) {
                    // The program posts, as in a stream of large WRITEs: each attempt would interrupt its copies.
                    LockSupport.parkNanos(this, LookPace.SHORTEST_NS);
                } else {
                    boolean polled = engine.local() != null && engine.local().isPolled();
                    sleep(polled ? LookPace.USUAL_NS : LONGEST_SLEEP_NS);
                }
            }
        }
    }

    /// Sleeps on the wire until a packet, a wake-up, the engine's next deadline, or the time is over. Only for the
    /// thread that has the place.
    public void sleep(long longestNs) {
        long nowNs = engine.nowNs();
        wakeAtNs = nowNs + longestNs;
        inKernel = true;
        // After announcing the sleep: a program that polls from here on finds somebody to wake.
        if (engine.local() != null && !engine.local().fallAsleep()) {
            inKernel = false;
            return;
        }
        // Read after announcing the sleep: a deadline that moves from here on wakes us.
        long sleepNs = Math.min(longestNs, engine.untilNextDeadlineNs());
        wakeAtNs = nowNs + sleepNs;
        try {
            engine.wire().await(sleepNs);
        } catch (RuntimeException e) {
            // Whoever sleeps here may be the program, which cannot help it; and the next sleep would fail as fast.
            engine.onDriverFault(e);
            LockSupport.parkNanos(this, PAUSE_AFTER_FAULT_NS);
        } finally {
            inKernel = false;
            if (engine.local() != null) {
                engine.local().wakeUp();
            }
        }
    }
}
