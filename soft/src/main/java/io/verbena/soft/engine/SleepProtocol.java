package io.verbena.soft.engine;

/// Decides which thread sleeps on the wire of an engine, which takes over, and which must be woken. At most one thread
/// sleeps there: more
/// would all wake for each packet. A thread of the program that waits is the better one, because it needs no hand-over;
/// the device's own thread does it while no program thread waits, and for threads that cannot (virtual ones, and those
/// that wait for several engines), which park.
///
/// | the place is | a waiting thread | a thread that parks | the device's thread |
/// |---|---|---|---|
/// | free | sleeps there | asks the device's thread | drives, unless a thread waits and none is parked |
/// | a waiting thread's | parks, as the next column | asks the device's thread | rests until it is asked |
/// | the device's | spins until it has left, or parks if threads are parked | parks | leaves when a thread waits and
/// none is parked |
final class SleepProtocol {
    enum Sleeper {
        NOBODY,
        WAITER,
        DEVICE
    }

    /// What a thread that waits does next.
    enum Wait {
        SLEEP,
        SPIN,
        PARK
    }

    /// What the device's thread does next.
    enum Turn {
        /// The program runs the engine.
        REST,
        /// A thread that waits sleeps on the wire, or is about to.
        YIELD,
        DRIVE,
        /// As DRIVE, because a thread that parked asked for it.
        DRIVE_AS_ASKED
    }

    private Sleeper sleeper = Sleeper.NOBODY;
    private int waiting;
    private int parked;
    private boolean asked;

    /// A thread begins to wait; true when the device's thread must be woken on the wire to make room.
    synchronized boolean beginWait() {
        waiting++;
        return sleeper == Sleeper.DEVICE && shallLeave();
    }

    synchronized void endWait() {
        waiting--;
    }

    /// A thread that waits has nothing more to do.
    synchronized Wait sleepOrPark() {
        if (sleeper == Sleeper.NOBODY) {
            sleeper = Sleeper.WAITER;
            return Wait.SLEEP;
        }
        return sleeper == Sleeper.DEVICE && parked == 0 ? Wait.SPIN : Wait.PARK;
    }

    /// The thread that slept on the wire leaves; true when the device's thread must be woken because others are parked.
    synchronized boolean leave() {
        sleeper = Sleeper.NOBODY;
        asked |= parked > 0;
        return parked > 0;
    }

    /// A thread parks until it is signalled, and relies on the device's thread meanwhile, which must be woken.
    synchronized void beginPark() {
        parked++;
        asked = true;
    }

    /// True when the device's thread must be woken on the wire to make room: nobody relies on it any more.
    synchronized boolean endPark() {
        parked--;
        return sleeper == Sleeper.DEVICE && shallLeave();
    }

    /// @param programDrove whether the program ran the engine since the last turn
    synchronized Turn turn(boolean programDrove) {
        boolean wasAsked = asked;
        asked = false;
        if (programDrove && !wasAsked) {
            return Turn.REST;
        }
        if (sleeper != Sleeper.NOBODY || shallLeave()) {
            return Turn.YIELD;
        }
        sleeper = Sleeper.DEVICE;
        return wasAsked ? Turn.DRIVE_AS_ASKED : Turn.DRIVE;
    }

    /// Whether the device's thread makes room for one that waits.
    synchronized boolean shallLeave() {
        return waiting > 0 && parked == 0;
    }
}
