package io.verbena.soft.wait;

import io.verbena.soft.engine.Engine;
import io.verbena.soft.event.SoftEvents;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// One thread that waits for an event of engines.
///
/// A thread that waits for one engine sleeps on that engine's wire itself and runs the duty cycle when a packet comes:
/// one wake-up from packet to program. While other threads of the program poll, they run the engine: then the waiting
/// thread only parks, to be signalled, and checks now and then whether they still poll. A thread that waits for several
/// engines, or a virtual thread (which must not block its carrier in a system call), leaves the engines to the devices'
/// threads and parks.
///
/// Before it sleeps a thread may spin for a while, see [io.verbena.soft.engine.Driver#spinNs]. It owns no engine
/// between two polls, so that other threads can run it.
public final class Waiter {
    /// How long to rely on another thread that polls.
    private static final long RECHECK_NS = 10_000_000;

    /// A thread that spins polls the network and timers, too, once in this many polls.
    private static final int POLL_ALL_EVERY = 64;

    private final String what;
    private volatile Thread thread;
    private volatile boolean signalled;
    /// The event of a wait that sleeps; null when there is none.
    private Object slept;

    /// The engine on whose wire the thread sleeps, or null.
    private volatile Engine sleepingOn;

    /// @param what it waits for, for people
    public Waiter(String what) {
        this.what = what;
    }

    /// The clock of waits for these engines.
    public static NanoClock clock(Engine... engines) {
        return engines.length == 0 ? NanoClock.SYSTEM : engines[0].clock();
    }

    /// Nanoseconds of a duration; one that is too long for a long is as good as for ever.
    public static long nanoseconds(Duration timeout) {
        Objects.requireNonNull(timeout, "the timeout is null");
        return timeout.compareTo(Duration.ofDays(365)) > 0
                ? Duration.ofDays(365).toNanos()
                : timeout.toNanos();
    }

    /// Makes the waiting thread check its condition again. From any thread.
    public void signal() {
        signalled = true;
        Engine engine = sleepingOn;
        if (engine != null) {
            engine.wire().wakeup();
        }
        LockSupport.unpark(thread);
    }

    /// Waits until `ready` or the time is over; returns whether it is ready.
    public boolean await(BooleanSupplier ready, long timeoutNs, Engine... engines) {
        if (engines.length > 0 && engines[0].simulation() != null) {
            return engines[0].simulation().await(ready, timeoutNs);
        }
        NanoClock clock = clock(engines);
        long startNs = clock.nowNs();
        long drivesSeen = programDrives(engines);
        thread = Thread.currentThread();
        // Only for a thread that sleeps on the wire itself must the device's thread make room there.
        boolean sleepsItself = engines.length == 1 && !thread.isVirtual();
        if (sleepsItself) {
            engines[0].driver().beginWait();
        }
        long spinNs = spinNs(engines);
        int spins = 0;
        boolean acknowledge = false;
        try {
            while (true) {
                signalled = false;
                poll(spins % POLL_ALL_EVERY == 0, acknowledge, engines);
                if (ready.getAsBoolean()) {
                    return true;
                }
                // Acknowledgements wait for the program's answer, but not while the program sleeps.
                acknowledge = !acknowledge;
                if (acknowledge) {
                    continue;
                }
                long leftNs = timeoutNs - (clock.nowNs() - startNs);
                if (leftNs <= 0) {
                    return false;
                }
                if (Thread.interrupted()) {
                    throw new RdmaException("wait", Errno.EINTR, "the waiting thread was interrupted");
                }
                long drives = programDrives(engines);
                boolean othersDrive = drives != drivesSeen;
                drivesSeen = drives;
                if (othersDrive) {
                    onSleep(engines);
                    park(ready, Math.min(leftNs, RECHECK_NS));
                } else if (timeoutNs - leftNs < spinNs) {
                    spins++;
                    Thread.onSpinWait();
                } else if (spins > 0) {
                    // No thread sleeps before everything was polled.
                    spins = 0;
                } else {
                    sleep(ready, leftNs, sleepsItself, engines);
                }
            }
        } finally {
            if (sleepsItself) {
                engines[0].driver().endWait();
            }
            thread = null;
            endSlowWait();
        }
    }

    private void sleep(BooleanSupplier ready, long leftNs, boolean itself, Engine... engines) {
        if (!itself || !engines[0].driver().trySleep(() -> sleepOn(engines[0], ready, leftNs))) {
            parkWhileDeviceThreadsRun(ready, leftNs, engines);
        }
    }

    private static void onSleep(Engine... engines) {
        for (Engine engine : engines) {
            engine.driver().onSleep();
        }
    }

    private static void poll(boolean all, boolean acknowledge, Engine... engines) {
        for (Engine engine : engines) {
            if (all) {
                engine.drive(acknowledge);
            } else {
                engine.spin(acknowledge);
            }
        }
    }

    /// The shortest spin time of the engines; 0 for a virtual thread, which leaves its carrier to others.
    private long spinNs(Engine... engines) {
        long shortestNs = engines.length == 0 || thread.isVirtual() ? 0 : Long.MAX_VALUE;
        for (Engine engine : engines) {
            shortestNs = Math.min(shortestNs, engine.driver().spinNs());
        }
        return shortestNs;
    }

    private static long programDrives(Engine... engines) {
        long drives = 0;
        for (Engine engine : engines) {
            drives += engine.driver().programDrives();
        }
        return drives;
    }

    /// The first sleep of a wait is where the recorder's event begins.
    private void beginSlowWait() {
        if (slept == null) {
            slept = SoftEvents.beginWait();
        }
    }

    private void endSlowWait() {
        SoftEvents.endWait(slept, what);
        slept = null;
    }

    private void sleepOn(Engine engine, BooleanSupplier ready, long leftNs) {
        sleepingOn = engine;
        InterruptWake interrupts = new InterruptWake(engine.wire()::wakeup);
        interrupts.beginSleep();
        try {
            if (!signalled && !ready.getAsBoolean()) {
                beginSlowWait();
                engine.driver().onSleep();
                engine.driver().sleep(leftNs);
            }
        } finally {
            interrupts.endSleep();
            sleepingOn = null;
        }
    }

    private void park(BooleanSupplier ready, long leftNs) {
        if (!signalled && !ready.getAsBoolean()) {
            beginSlowWait();
            LockSupport.parkNanos(this, leftNs);
        }
    }

    private void parkWhileDeviceThreadsRun(BooleanSupplier ready, long leftNs, Engine... engines) {
        for (Engine engine : engines) {
            engine.driver().beginPark();
        }
        try {
            onSleep(engines);
            park(ready, leftNs);
        } finally {
            for (Engine engine : engines) {
                engine.driver().endPark();
            }
        }
    }
}
