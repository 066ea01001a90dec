package io.verbena.soft.engine;

/// Decides which thread sleeps on the wire of an engine, which takes over, and which must be woken. At most one thread
/// sleeps there: several would all wake for each packet. A waiting thread of the program is preferred, because it needs
/// no hand-over. The device's thread sleeps there while no program's thread waits, and on behalf of threads that cannot
/// (virtual threads, and threads that wait for several engines). Those park.
///
/// | the place is | a waiting thread | a thread that parks | the device's thread |
/// |---|---|---|---|
/// | free | sleeps there | asks the device's thread | drives, unless a thread waits and none is parked |
/// | a waiting thread's | parks, as the next column | asks the device's thread | checks soon; if no wait has ended
/// meanwhile, sleeps until it is asked or the last wait ends |
/// | the device's | spins until it has left, or parks if threads are parked | parks | leaves when a thread waits and
/// none is parked |
final class SleepProtocol {
    enum Sleeper {
        NOBODY,
        WAITER,
        DEVICE
    }

    /// The next step of a waiting thread.
    enum WaiterAction {
        SLEEP,
        SPIN,
        PARK
    }

    /// The next step of the device's thread.
    enum DeviceAction {
        /// The program runs the engine.
        REST,
        /// A waiting thread sleeps on the wire, or is about to.
        YIELD,
        /// Like YIELD, and the wait lasts: the device's thread is woken when it ends.
        YIELD_LONG,
        DRIVE,
        /// Like DRIVE, but on behalf of a parked thread.
        DRIVE_ON_REQUEST
    }

    private Sleeper sleeper = Sleeper.NOBODY;
    private int waiting;
    private int parked;
    private boolean requested;

    /// How many waits have ended, and how many had at the last turn in which the device's thread yielded.
    private int waitsEnded;

    private int waitsEndedBefore = -1;
    private boolean isDeviceAsleep;

    /// A thread begins to wait. True when the device's thread must be woken so that it leaves the wire.
    synchronized boolean beginWait() {
        waiting++;
        return sleeper == Sleeper.DEVICE && mustLeave();
    }

    /// True when the device's thread must be woken: from now on nobody else answers peers.
    synchronized boolean endWait() {
        waiting--;
        waitsEnded++;
        boolean mustWake = isDeviceAsleep && waiting == 0;
        isDeviceAsleep &= !mustWake;
        return mustWake;
    }

    /// Called by a waiting thread that has nothing more to do.
    synchronized WaiterAction sleepOrPark() {
        if (sleeper == Sleeper.NOBODY) {
            sleeper = Sleeper.WAITER;
            return WaiterAction.SLEEP;
        }
        return sleeper == Sleeper.DEVICE && parked == 0 ? WaiterAction.SPIN : WaiterAction.PARK;
    }

    /// The thread that slept on the wire leaves; true when the device's thread must be woken because others are parked.
    synchronized boolean leave() {
        sleeper = Sleeper.NOBODY;
        requested |= parked > 0;
        return parked > 0;
    }

    /// A thread parks until it is signalled. The caller wakes the device's thread, which drives meanwhile.
    synchronized void beginPark() {
        parked++;
        requested = true;
    }

    /// True when the device's thread must be woken so that it leaves the wire: no parked thread relies on it any more.
    synchronized boolean endPark() {
        parked--;
        return sleeper == Sleeper.DEVICE && mustLeave();
    }

    /// @param programDrove whether the program ran the engine since the last turn
    synchronized DeviceAction nextDeviceAction(boolean programDrove) {
        boolean wasRequested = requested;
        requested = false;
        isDeviceAsleep = false;
        if (programDrove && !wasRequested) {
            return DeviceAction.REST;
        }
        if (sleeper != Sleeper.NOBODY || mustLeave()) {
            // A short wait is followed by others: waking the device's thread after each would make all of them slower.
            isDeviceAsleep = waiting > 0 && waitsEnded == waitsEndedBefore;
            waitsEndedBefore = waitsEnded;
            return isDeviceAsleep ? DeviceAction.YIELD_LONG : DeviceAction.YIELD;
        }
        sleeper = Sleeper.DEVICE;
        return wasRequested ? DeviceAction.DRIVE_ON_REQUEST : DeviceAction.DRIVE;
    }

    /// Whether the device's thread must leave the wire to a waiting thread.
    synchronized boolean mustLeave() {
        return waiting > 0 && parked == 0;
    }
}
