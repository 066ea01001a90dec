package io.verbena.soft.engine;

import io.verbena.soft.os.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Decides which thread runs an engine. A program that polls or waits runs it in its own thread: no hand-over to
/// another thread is needed. The device's thread answers packets while the program does other things: it checks
/// regularly whether the program runs the engine. If not, it takes over and sleeps in the kernel until a packet
/// arrives.
public final class Driver {
    private static final VarHandle PROGRAM_DRIVES = FieldHandle.of(MethodHandles.lookup(), "programDrives", long.class);

    /// For [#spin]: no time was configured.
    public static final long DEFAULT_SPIN = -1;

    /// About the time that waking a sleeping thread takes. Spinning that long at most doubles the cost of sleeping.
    private static final long SPIN_AT_SHARED_MEMORY_NS = 20_000;

    private static final boolean ALONE = Runtime.getRuntime().availableProcessors() == 1;

    private static final long WIRE_TAKEN_CHECK_NS = 20_000_000;

    /// A takeover shorter than this came too early.
    private static final long SHORT_TAKEOVER_NS = 100_000_000;
    /// The longest sleep before a thread checks all state again.
    private static final long LONGEST_SLEEP_NS = 10_000_000_000L;

    private static final long PAUSE_AFTER_FAULT_NS = 10_000_000;

    /// How often the device's thread runs the periodic task, and how often while the program does nothing.
    private static final long PERIODIC_TASK_EVERY_NS = 2_000_000_000;

    private static final long IDLE_TASK_EVERY_NS = 10_000_000_000L;

    private final Engine engine;
    private Runnable periodicTask = () -> {};
    private long periodicTaskAtNs;
    private long drivesAtPeriodicTask;
    private final SleepProtocol protocol = new SleepProtocol();

    /// Changes whenever the program drives the engine. Read and written in opaque mode.
    private volatile long programDrives;

    private volatile boolean stopped;
    private volatile long wakeAtNs;
    private volatile boolean inKernel;
    private volatile long spinNs = DEFAULT_SPIN;
    private final AtomicLong sleeps = new AtomicLong();
    private Thread thread;

    Driver(Engine engine) {
        this.engine = engine;
    }

    /// Makes the device's thread run a task every few seconds, not as the engine's owner. To be called before [#start].
    public void runPeriodically(Runnable task) {
        periodicTask = task;
    }

    public void start(String name) {
        periodicTaskAtNs = engine.nowNs() + PERIODIC_TASK_EVERY_NS;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
        thread.start();
    }

    /// Ends the device's thread and waits for its end, which is soon: listeners of JMX are the only
    /// program code that it runs.
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

    /// A control call is done. The device's thread may have left the lock to it.
    void resume() {
        LockSupport.unpark(thread);
    }

    /// The program polls. A thread that sleeps on the wire must stop that, or every packet would wake it too.
    void onProgramDrives() {
        countDrive();
        if (engine.local() != null) {
            engine.local().wakeUp();
        }
        if (inKernel) {
            inKernel = false;
            wakeSleeper();
        }
    }

    /// Wakes the thread that sleeps on the wire.
    private void wakeSleeper() {
        count(Counter.SLEEPERS_WOKEN);
        engine.wire().wakeup();
    }

    private void count(Counter counter) {
        engine.counters().incrementAtomically(counter);
    }

    /// The program polls a completion queue of the local path, so neighbours stop ringing the bell for that queue. The
    /// program may not poll again, so a thread that sleeps on the wire must check the queue soon.
    public void onQueuePolled() {
        if (inKernel) {
            wakeSleeper();
        }
    }

    /// Opaque: the count orders nothing, so it costs no more than a plain store.
    private void countDrive() {
        PROGRAM_DRIVES.setOpaque(this, (long) PROGRAM_DRIVES.getOpaque(this) + 1);
    }

    /// Changes whenever the program polls.
    public long programDrives() {
        return programDrives;
    }

    /// There is a task for the engine, from the owner of another one.
    void onTask() {
        LockSupport.unpark(thread);
        if (inKernel) {
            wakeSleeper();
        }
    }

    /// The engine's next deadline moved. No thread may sleep past it.
    void onDeadlineMoved(long nextDeadlineNs) {
        if (inKernel && nextDeadlineNs - wakeAtNs < 0) {
            wakeSleeper();
        }
    }

    /// Sets how long waiting threads spin before they sleep, in nanoseconds, or [#DEFAULT_SPIN].
    public void spin(long longestNs) {
        spinNs = longestNs;
    }

    /// How long a thread that waits for this engine spins before it sleeps. By default it spins for a short time on
    /// shared memory, where polling needs no system call and a reply takes less time than waking a thread. It does not
    /// spin on the network, nor on a single processor, which the peer needs to reply.
    public long spinNs() {
        long configuredNs = spinNs;
        return configuredNs != DEFAULT_SPIN
                ? configuredNs
                : engine.isLocalOnly() && !ALONE ? SPIN_AT_SHARED_MEMORY_NS : 0;
    }

    /// A thread that waits for this engine goes to sleep.
    public void onSleep() {
        sleeps.incrementAndGet();
    }

    /// How often threads that waited slept.
    public long sleeps() {
        return sleeps.get();
    }

    /// A program's thread begins to wait for this engine.
    public void beginWait() {
        if (protocol.beginWait()) {
            wakeSleeper();
        }
    }

    public void endWait() {
        if (protocol.endWait()) {
            LockSupport.unpark(thread);
        }
    }

    /// For a thread between [#beginWait] and [#endWait] that has nothing more to do. Runs `sleep`, which sleeps on the
    /// wire, if no other thread sleeps there, and spins once if the device's thread is about to leave the wire. False
    /// when the thread must park.
    public boolean trySleep(Runnable sleep) {
        return switch (protocol.sleepOrPark()) {
            case SLEEP -> {
                try {
                    sleep.run();
                } finally {
                    leaveWire();
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

    private void leaveWire() {
        if (protocol.leave()) {
            LockSupport.unpark(thread);
        }
    }

    /// A program's thread parks until it is signalled. Meanwhile the device's thread drives.
    public void beginPark() {
        protocol.beginPark();
        LockSupport.unpark(thread);
    }

    public void endPark() {
        if (protocol.endPark()) {
            wakeSleeper();
        }
    }

    private void run() {
        TakeoverBackoff backoff = new TakeoverBackoff();
        long seen = programDrives;
        while (!stopped) {
            runPeriodicTaskIfDue();
            long times = programDrives - seen;
            seen += times;
            SleepProtocol.DeviceAction action = protocol.nextDeviceAction(times != 0);
            switch (action) {
                case REST -> {
                    count(Counter.DEVICE_THREAD_CHECKS);
                    LockSupport.parkNanos(this, backoff.onDriven(times));
                }
                case YIELD -> {
                    count(Counter.DEVICE_THREAD_CHECKS);
                    LockSupport.parkNanos(this, WIRE_TAKEN_CHECK_NS);
                }
                case YIELD_LONG -> {
                    count(Counter.DEVICE_THREAD_CHECKS);
                    LockSupport.parkNanos(this, Math.max(1, periodicTaskAtNs - engine.nowNs()));
                }
                case DRIVE, DRIVE_ON_REQUEST -> {
                    count(Counter.DEVICE_THREAD_TAKEOVERS);
                    long startNs = engine.nowNs();
                    drive();
                    backoff.onTakeover(
                            action == SleepProtocol.DeviceAction.DRIVE && engine.nowNs() - startNs < SHORT_TAKEOVER_NS);
                }
            }
        }
    }

    private void drive() {
        try {
            driveUntilProgramDoes();
        } catch (RuntimeException | Error e) {
            // Only this thread answers peers while the program sleeps. It must not end, nor use a whole processor when
            // the fault persists.
            engine.onDriverFault(e);
            LockSupport.parkNanos(this, PAUSE_AFTER_FAULT_NS);
        } finally {
            protocol.leave();
        }
    }

    private void runPeriodicTaskIfDue() {
        long nowNs = engine.nowNs();
        if (nowNs - periodicTaskAtNs < 0) {
            return;
        }
        boolean isIdle = programDrives == drivesAtPeriodicTask;
        drivesAtPeriodicTask = programDrives;
        periodicTaskAtNs = nowNs + (isIdle ? IDLE_TASK_EVERY_NS : PERIODIC_TASK_EVERY_NS);
        try {
            periodicTask.run();
        } catch (RuntimeException e) {
            engine.onDriverFault(e);
        }
    }

    private void driveUntilProgramDoes() {
        long seen = programDrives;
        while (!stopped && programDrives == seen && !protocol.mustLeave()) {
            if (engine.drive(true) == 0) {
                runPeriodicTaskIfDue();
                if (engine.isOwned()) {
                    // The program posts, for example a stream of large WRITEs. Each attempt to take the lock would
                    // interrupt its copies.
                    LockSupport.parkNanos(this, TakeoverBackoff.SHORTEST_NS);
                } else {
                    sleep(LONGEST_SLEEP_NS);
                }
            }
        }
    }

    /// Sleeps on the wire until a packet arrives, another thread wakes it, the engine's next deadline is reached, or
    /// the time is over. Only for the thread that [SleepProtocol] lets sleep there.
    public void sleep(long longestNs) {
        long nowNs = engine.nowNs();
        wakeAtNs = nowNs + Math.min(longestNs, LONGEST_SLEEP_NS);
        inKernel = true;
        // After announcing the sleep: a program that polls from here on finds somebody to wake.
        if (engine.local() != null && !engine.local().fallAsleep()) {
            inKernel = false;
            return;
        }
        // Neighbours do not ring the bell for lanes that the program polls, and it may stop polling at any moment.
        boolean polled = engine.local() != null && engine.local().isPolled();
        long mostNs = Math.min(longestNs, polled ? TakeoverBackoff.USUAL_NS : LONGEST_SLEEP_NS);
        // Read after announcing the sleep: a deadline that moves from here on wakes us.
        long sleepNs = Math.min(mostNs, engine.untilNextDeadlineNs());
        wakeAtNs = nowNs + sleepNs;
        try {
            engine.wire().await(sleepNs);
        } catch (RuntimeException e) {
            // The sleeping thread may be the program's, which did not cause the fault. Without a pause the next sleep
            // would fail at once, too.
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
